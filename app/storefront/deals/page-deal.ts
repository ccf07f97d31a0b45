import type { DealDetail } from '#app/features/deals/deal-queries.server.ts';

/** A deal without its prices: those reach the browser only as judged, and not at all where they are hidden. */
export type PageDeal = Omit<
  DealDetail,
  | 'sale_price'
  | 'original_price'
  | 'discount_percent'
  | 'discount_amount'
  | 'observed_percent'
  | 'low_30_before'
>;

export function withoutPrices(deal: DealDetail): PageDeal {
  const {
    sale_price: _sale,
    original_price: _original,
    discount_percent: _percent,
    discount_amount: _amount,
    observed_percent: _observed,
    low_30_before: _low,
    ...rest
  } = deal;
  return rest;
}
