import { dealStatusLabel } from '#app/features/deals/deal-labels.ts';
import type { DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import {
  type Comparison,
  type Offer,
  storesFrom,
  type StoresFrom,
} from '#app/features/products/compare-offers.ts';
import { formatFrom } from '#app/features/products/format-from.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { timeAgo } from '#app/platform/time-words.ts';

/** An offer as the table shows it. Hidden prices are not sent to the browser. */
export interface ShownOffer {
  id: number;
  slug: string;
  store: string;
  storeSlug: string;
  host: string;
  condition: string;
  price: number | null;
  shipping: number | null;
  stock: string;
  checkedAt: Date;
}

const stockLabels = { in_stock: 'In stock', out_of_stock: 'Out of stock', unknown: 'Not stated' };

export function showOffer({ deal, price, shipping }: Offer<DealSummary>): ShownOffer {
  const { id, slug, merchant, outHost, availability, price_checked_at } = deal;
  return {
    id,
    slug,
    store: merchant.name,
    storeSlug: merchant.slug,
    host: outHost || merchant.name,
    condition: dealStatusLabel(deal),
    price,
    shipping,
    stock: stockLabels[availability],
    checkedAt: price_checked_at,
  };
}

/** Returns "From $79.99 incl. shipping at 3 of 5 stores, checked 12 minutes ago". */
export function writeHeadline(
  { ranked, unstated, others, condition }: Comparison<DealSummary>,
  currency: string,
  now: Date,
): string {
  const offers = [...ranked, ...unstated, ...others];
  const all = new Set(offers.map(({ deal }) => deal.merchant.id)).size;
  const best = storesFrom({ ranked, unstated }, condition);
  if (!best) return `No price to compare at ${countNoun(all, 'store')}`;
  const known = best.isTotal ? best.compared : best.stores;
  const stores = known === all ? countNoun(all, 'store') : `${known} of ${countNoun(all, 'store')}`;
  const [first] = best.isTotal ? ranked : unstated;
  const checked = first ? `, checked ${timeAgo(first.deal.price_checked_at, now)}` : '';
  const suffix = condition === 'new' ? '' : ` (${condition})`;
  return `From ${formatFrom(best, currency)}${suffix} at ${stores}${checked}`;
}

/** Returns "Also at 2 other stores, from $79.99 incl. shipping". */
export function writeAlsoAt(best: StoresFrom, currency: string): string {
  return `Also at ${countNoun(best.stores, 'other store')}, from ${formatFrom(best, currency)}`;
}
