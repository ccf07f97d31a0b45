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

/**
 * A deal without its raw prices. The browser receives only evaluated prices, and no hidden ones.
 */
export type PageDeal = Omit<DealDetail, (typeof prices)[number]>;

export function withoutPrices(deal: DealDetail): PageDeal {
  const shown: Partial<DealDetail> & PageDeal = { ...deal };
  for (const name of prices) delete shown[name];
  return shown;
}
