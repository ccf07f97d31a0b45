import { dealInput } from '#app/features/deals/deal-input.ts';
import { createDeal } from '#app/features/deals/publish-deal.server.ts';
import { fittingIcon } from '#app/features/feeds/formats/feed-category.ts';
import {
  insertCategory,
  insertMerchant,
  listCategoryNames,
  lockCategories,
} from '#app/features/feeds/runs/import-queries.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { toDecimal } from '#app/platform/money.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { Store } from './match-store.server.ts';
import { newPathOf } from './new-path.ts';
import { categoryKey, type OfferDetails } from './plan-offers.server.ts';

interface OfferItem {
  id: number;
  kind: 'deal' | 'coupon' | 'link';
  title: string;
  slug: string;
  details: object;
}

/** The row created for an item, with the slug of its planned URL. */
type Made = { id: number | null; slug: string } | { refused: string };

/** Writes a deal or coupon with its store, or finds the target of a cloaked link. */
export async function moveOffer(tx: Db, moveId: number, item: OfferItem): Promise<Made> {
  const details = item.details as OfferDetails;
  if (item.kind === 'link') return { id: null, slug: await targetOf(tx, item.slug, details) };
  const store = details.plan?.store;
  if (!store) return { refused: 'Its store was not chosen' };
  const merchant = await findOrAddMerchant(tx, moveId, store);
  return item.kind === 'deal'
    ? insertDeal(tx, moveId, item, details, merchant)
    : insertCoupon(tx, item, details, merchant);
}

/** Returns the target of a cloaked link. A deal may have a different slug than planned. */
async function targetOf(tx: Db, planned: string, { plan }: OfferDetails): Promise<string> {
  if (plan?.item === undefined) return planned;
  const slug = await ask(tx).value<string>`
    select slug from post_move_items where id = ${plan.item} and outcome = 'moved'`;
  return slug === null ? planned : newPathOf({ kind: 'deal', slug });
}

interface Merchant {
  id: number;
  slug: string;
  seller_type: 'amazon' | 'third_party';
}

async function findOrAddMerchant(tx: Db, moveId: number, store: Store): Promise<Merchant> {
  const known = await ask(tx).row<Merchant>`
    select id, slug, seller_type from merchants
     where case when ${store.id}::bigint is null then lower(name) = lower(${store.name}) else id = ${store.id} end
     order by id limit 1`;
  if (known) return known;
  const id = await insertMerchant(tx, store.name);
  await ask(tx).rows`update merchants set website_url = ${store.website} where id = ${id}`;
  await noteMade(tx, moveId, 'merchants', id);
  const made = await ask(tx).row<Merchant>`
    select id, slug, seller_type from merchants where id = ${id}`;
  if (!made) throw new Error('no merchant was stored');
  return made;
}

async function noteMade(
  tx: Db,
  moveId: number,
  what: 'merchants' | 'categories',
  id: number,
): Promise<void> {
  await ask(tx).rows`
    update post_moves set made = jsonb_set(made, array[${what}::text], made -> ${what}::text || to_jsonb(${id}::bigint))
     where id = ${moveId}`;
}

/**
 * Returns the first of these categories that exists, else the one chosen for the import. If neither
 * exists, adds the first category.
 */
async function findOrAddCategory(
  tx: Db,
  moveId: number,
  wanted: readonly string[],
): Promise<number> {
  const known = new Map<string, number>();
  for (const { id, name, slug } of await listCategoryNames(tx)) {
    for (const key of [categoryKey(name), slug]) if (!known.has(key)) known.set(key, id);
  }
  const own = wanted.map((name) => known.get(categoryKey(name))).find((id) => id !== undefined);
  if (own !== undefined) return own;
  const chosen = await ask(tx).value<number>`
    select c.id from post_moves m join categories c on c.id = m.category_id where m.id = ${moveId}`;
  if (chosen !== null) return chosen;
  const name = wanted[0] ?? 'Uncategorised';
  const other = known.get(categoryKey(name));
  if (other !== undefined) return other;
  await lockCategories(tx);
  const id = await insertCategory(tx, name, fittingIcon(name));
  await noteMade(tx, moveId, 'categories', id);
  return id;
}

async function insertDeal(
  tx: Db,
  moveId: number,
  item: OfferItem,
  details: OfferDetails,
  merchant: Merchant,
): Promise<Made> {
  const { currency } = await readSiteSettings(tx);
  const money = (amount: number | null) => (amount === null ? '' : toDecimal(amount, currency));
  const parsed = dealInput(currency).safeParse({
    title: item.title,
    slug: item.slug,
    description: details.description,
    sale_price: money(details.price),
    original_price: money(details.oldPrice),
    coupon_code: details.code ?? '',
    image_url: details.picture ?? '',
    deal_url: details.plan?.link ?? '',
    expires_at: details.endsAt ?? '',
    merchant_id: merchant.id,
    category_id: await findOrAddCategory(tx, moveId, details.categories),
    seller_type: merchant.seller_type,
    availability: details.isOutOfStock ? 'out_of_stock' : 'unknown',
    is_active: details.isPublished,
  });
  if (!parsed.success) return { refused: Object.values(fieldErrors(parsed.error)).join('. ') };
  // Another writer may take the free slug in the meantime.
  for (let attempt = 0; attempt < 3; attempt++) {
    const created = await createDeal(tx, parsed.data, { source: 'import' });
    if (created.ok) return { id: created.deal.id, slug: created.deal.slug };
    if (created.reason !== 'slug-taken') return { refused: 'Its store or category is gone' };
  }
  return { refused: 'No free address was found' };
}

/**
 * Adds a coupon. A code that its store already has is left unchanged, but its old URL still
 * redirects to the store.
 */
async function insertCoupon(
  tx: Db,
  item: OfferItem,
  details: OfferDetails,
  merchant: Merchant,
): Promise<Made> {
  const { startsAt, endsAt } = details;
  const starts = startsAt !== null && endsAt !== null && startsAt >= endsAt ? null : startsAt;
  const id = await ask(tx).value<number>`
    insert into coupons (merchant_id, code, title, terms, url, starts_at, ends_at)
    values (${merchant.id}, ${details.code}, ${item.title}, ${details.description}, ${details.plan?.link ?? null},
            ${starts}, ${endsAt})
    on conflict do nothing returning id`;
  return { id, slug: merchant.slug };
}
