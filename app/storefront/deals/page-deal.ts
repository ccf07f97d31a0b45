import type { DealDetail } from '#app/features/deals/deal-queries.server.ts';

const prices = [
  'sale_price',
  'original_price',
  'discount_percent',
  'discount_amount',
  'observed_percent',
  'low_30_before',
  'reference_price',
  'checked_percent',
] as const;

/** A deal without its prices. The browser gets them only as judged, and not at all if hidden. */
export type PageDeal = Omit<DealDetail, (typeof prices)[number]>;

export function withoutPrices(deal: DealDetail): PageDeal {
  const shown: Partial<DealDetail> & PageDeal = { ...deal };
  for (const name of prices) delete shown[name];
  return shown;
}
