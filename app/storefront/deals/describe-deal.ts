import type { DealDetail } from '#app/features/deals/deal-queries.server.ts';
import type { ShownPrice } from '#app/features/prices/judge-price.ts';
import { formatMoney } from '#app/platform/money.ts';

/** Returns the description of a deal for search engines. */
export function describeDeal(deal: DealDetail, price: ShownPrice | null, currency: string): string {
  const start = deal.is_expired
    ? `This deal at ${deal.merchant.name} has expired.`
    : price
      ? `${formatMoney(price.now, currency)} at ${deal.merchant.name}, with its price history.`
      : `See the price at ${deal.merchant.name}.`;
  return `${start} ${deal.description.slice(0, 200)}`.trim();
}
