import { liveScope } from '#app/features/deals/deal-conditions.server.ts';
import { type DealSummary, listDealsByIds } from '#app/features/deals/deal-list-queries.server.ts';
import { compareOffers } from '#app/features/products/compare-offers.ts';
import { formatFrom } from '#app/features/products/offer-words.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { ProductToNotify } from './watched-search-queries.server.ts';

/** A watched product's price drop, as text. */
export interface ProductFall {
  title: string;
  store: string;
  /** The lowest price, such as `$79.99 incl. shipping`. */
  price: string;
  /** The previous lowest price, or `null` if it was not higher. */
  former: string | null;
}

/** offers that an email shows */
const mostShown = 3;

/**
 * Returns the offers of a product that meet its watch now, the lowest first, as `check_products`
 * compares them. Returns `null` if none does.
 */
export async function readProductNews(
  db: Db,
  { id, title, condition, withShipping, former }: ProductToNotify,
  { max, currency, now }: { max: number | null; currency: string; now: Date },
): Promise<{ fall: ProductFall; deals: DealSummary[] } | null> {
  const ids = await ask(db).column<number>`
    select id from deals where product_id = ${id} and ${liveScope} and merchant_id in (
      select m.id from merchants m where m.allow_alerts and m.hide_price_after_hours is null)`;
  const { ranked, unstated } = compareOffers(await listDealsByIds(db, ids), now);
  const priced = withShipping
    ? ranked.map((offer) => ({ ...offer, total: offer.price + offer.shipping }))
    : [...ranked, ...unstated].map((offer) => ({ ...offer, total: offer.price }));
  const met = priced
    .filter((offer) => offer.condition === condition && offer.total <= (max ?? offer.total))
    .toSorted((a, b) => a.total - b.total);
  const [best] = met;
  if (!best) return null;
  const words = (from: number) => formatFrom({ from, isTotal: withShipping }, currency);
  const fall = {
    title,
    store: best.deal.merchant.name,
    price: words(best.total),
    former: former === null || former <= best.total ? null : words(former),
  };
  return { fall, deals: met.slice(0, mostShown).map(({ deal }) => deal) };
}
