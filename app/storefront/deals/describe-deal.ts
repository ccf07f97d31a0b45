import type { DealDetail } from '#app/features/deals/deal-queries.server.ts';
import { isPriceHidden } from '#app/features/prices/hide-price.ts';
import { formatMoney } from '#app/platform/money.ts';

/** The deal in the words of a search result. */
export function describeDeal(deal: DealDetail, now: Date, currency?: string): string {
  const start = deal.is_expired
    ? `This deal at ${deal.merchant.name} is over.`
    : isPriceHidden(deal, now)
      ? `See the price at ${deal.merchant.name}.`
      : `${formatMoney(deal.sale_price, currency)} at ${deal.merchant.name}, with its price history.`;
  return `${start} ${deal.description}`.trim();
}
