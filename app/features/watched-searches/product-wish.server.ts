import {
  compareOffers,
  type Comparison,
  type ConditionClass,
  conditionClasses,
  storesFrom,
} from '#app/features/products/compare-offers.ts';
import { conditionSuffix, shippingWords } from '#app/features/products/offer-words.ts';
import { findProductBySlug } from '#app/features/products/product-queries.server.ts';
import type { DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import { isWrittenIn } from '#app/platform/is-written-in.ts';
import { formatMoney, parseMoney, twoWaysToRead } from '#app/platform/money.ts';
import { readText } from '#app/platform/read-text.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { mayBeSlug } from '#database/slug.ts';
import { watchMessages } from './watch-messages.ts';
import type { ReadWatchable, Watchable } from './watchable.ts';

/** A product as shown in the form of a watch. */
export interface WatchedOffers {
  id: number;
  slug: string;
  title: string;
  /** The condition classes with offers, the best first. */
  classes: ClassOnOffer[];
}

export interface ClassOnOffer {
  condition: ConditionClass;
  /** The lowest price, with shipping if any store of the class states it. */
  from: number;
  isTotal: boolean;
}

/** Returns the live offers of a product for the form of a watch, or `null` if there are none. */
export async function findWatchedOffers(db: Db, href: string): Promise<WatchedOffers | null> {
  const product = await findProductBySlug(db, slugOf(href));
  if (!product) return null;
  const { id, slug, title, offers } = product;
  return { id, slug, title, classes: classesOf(compareOffers(offers, new Date())) };
}

function classesOf(comparison: Comparison<DealSummary>): ClassOnOffer[] {
  return conditionClasses.flatMap((condition) => {
    const best = storesFrom(comparison, condition);
    return best ? [{ condition, from: best.from, isTotal: best.isTotal }] : [];
  });
}

/**
 * Reads the form of a watch. Without a price, any price below the present lowest one counts.
 * `present` is the current price of the watch being edited, which an offer may already meet.
 */
export async function readProductForm(
  db: Db,
  href: string,
  { form, currency, present }: { form: FormData; currency: string; present: number | null },
): Promise<ReadWatchable> {
  const product = await findWatchedOffers(db, href);
  if (!product) return refuse(watchMessages.unwatchable);
  if (!(await allowsWatching(db, product.id))) return refuse(watchMessages.noStore);
  const asked = readText(form, 'condition');
  const low = product.classes.find(({ condition }) => condition === asked) ?? product.classes[0];
  const max = readPrice(form, currency, { low: low?.from ?? null, present });
  if (typeof max === 'object' && max !== null) return max;
  const wish = { max, condition: low?.condition ?? 'new', withShipping: low?.isTotal ?? true };
  return { ok: true, watchable: watchOf(product, wish, currency) };
}

/** Returns the highest price that counts, `null` if any does, or a rejection. */
function readPrice(
  form: FormData,
  currency: string,
  { low, present }: { low: number | null; present: number | null },
) {
  const typed = readText(form, 'price').trim();
  if (!isWrittenIn(form, currency)) return refuse(alertMessages.otherCurrency(currency));
  if (typed === '') return low === null ? null : low - 1;
  const price = parseMoney(typed, currency);
  if (price === null) {
    return refuse(twoWaysToRead(typed, currency) ?? alertMessages.notANumber(currency));
  }
  if (price <= 0) return refuse(alertMessages.tooLow);
  return low === null || price < low || price === present
    ? price
    : refuse(watchMessages.alreadyAt(formatMoney(low, currency)));
}

/** Returns whether a store with an offer allows alerts, whose emails contain prices. */
async function allowsWatching(db: Db, productId: number): Promise<boolean> {
  const allows = await ask(db).value<boolean>`
    select exists (select from deals d join merchants m on m.id = d.merchant_id
                    where d.product_id = ${productId} and d.is_active and m.allow_alerts and m.hide_price_after_hours is null)`;
  return allows === true;
}

interface Wish {
  max: number | null;
  condition: ConditionClass;
  withShipping: boolean;
}

/** Parses the stored wish of a request. The product may no longer have offers. */
export async function readProductWish(
  db: Db,
  href: string,
  currency: string,
): Promise<Watchable | null> {
  const wish = new URLSearchParams(href.split('?')[1]);
  const [asked, max] = [wish.get('condition'), wish.get('max')];
  const condition = conditionClasses.find((one) => one === asked);
  const slug = slugOf(href);
  if (!condition || !mayBeSlug(slug) || (max !== null && !/^\d{1,10}$/.test(max))) return null;
  const product = await ask(db).row<{ id: number; slug: string; title: string }>`
    select id, slug, title from products where slug = ${slug}`;
  if (!product) return null;
  const withShipping = wish.get('shipping') === '1';
  return watchOf(
    product,
    { max: max === null ? null : Number(max), condition, withShipping },
    currency,
  );
}

const slugOf = (href: string) => href.split('?')[0]?.slice('/products/'.length) ?? '';
const refuse = (message: string) => ({ ok: false, message }) as const;

function watchOf(
  { id, slug, title }: { id: number; slug: string; title: string },
  { max, condition, withShipping }: Wish,
  currency: string,
): Watchable {
  const price = max === null ? 'any price' : `${formatMoney(max, currency)} or less`;
  return {
    address: `/products/${slug}`,
    name: `${title.slice(0, 300).toWellFormed()} at any store, ${price} ${shippingWords(withShipping)}${conditionSuffix(condition)}`,
    words: null,
    key_word: null,
    other_keys: [],
    category_id: null,
    merchant_id: null,
    traits: null,
    min_price: null,
    max_price: max,
    ends_soon: false,
    evidence: null,
    condition: null,
    off: null,
    brand: null,
    product_id: id,
    offer_class: condition,
    with_shipping: withShipping,
  };
}
