import type { DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import type { PriceStep } from '#app/features/prices/lay-out-price-chart.ts';
import { formatMoney } from '#app/platform/money.ts';
import { shortDate } from '#app/platform/time-words.ts';
import type { Db } from '#database/connect.ts';
import { allOffers, type Comparison, type ConditionClass } from './compare-offers.ts';
import { lowestOfAll, type OfferLine } from './lay-out-offer-chart.ts';
import { findLowestPrice, type LowestPrice, readOfferPrices } from './product-queries.server.ts';

const day = 86_400_000;
const daysDrawn = 90;

/** The past prices of a product's offers in one condition class, without shipping. */
export interface ProductPrices {
  condition: ConditionClass;
  from: Date;
  lines: (OfferLine & { deal: DealSummary })[];
  /** The lowest price across all stores at each time. */
  lowest: PriceStep[];
  /** Stores whose past prices may not be shown. */
  untracked: string[];
  low: LowestPrice | null;
}

/** Reads the headline class's prices of 90 days, and its lowest price ever. */
export async function readProductPrices(
  db: Db,
  comparison: Comparison<DealSummary>,
  now: Date,
): Promise<ProductPrices> {
  const all = allOffers(comparison);
  const condition = comparison.condition ?? all[0]?.condition ?? 'new';
  const compared = all.filter((offer) => offer.condition === condition);
  const ids = compared.filter(({ price }) => price !== null).map(({ deal }) => deal.id);
  const from = new Date(now.getTime() - daysDrawn * day);
  const [known, low] = await Promise.all([
    readOfferPrices(db, ids, from),
    findLowestPrice(db, ids),
  ]);
  const lines = compared.flatMap(({ deal }) => {
    const steps = known.get(deal.id);
    return steps ? [{ store: deal.merchant.name, deal, steps: untilEnd(steps, deal) }] : [];
  });
  const untracked = compared.filter(({ deal }) => !known.has(deal.id));
  return {
    condition,
    from,
    lines,
    lowest: lowestOfAll(lines, from),
    untracked: [...new Set(untracked.map(({ deal }) => deal.merchant.name))],
    low,
  };
}

/** Adds an end to the prices of an ended offer, so that its line does not continue. */
function untilEnd(steps: PriceStep[], { is_expired, expires_at: at }: DealSummary): PriceStep[] {
  if (!is_expired || at === null) return steps;
  const before = steps.filter((step) => step.at < at);
  const last = before.at(-1);
  return last ? [...before, { ...last, at, isOffer: false }] : steps;
}

/** Returns "Lowest price we have seen: $70.00 at Cedaro on Nov 3, 2026, without shipping." */
export function describeLow(
  { price, store, at }: LowestPrice,
  { currency, timeZone }: { currency: string; timeZone: string },
): string {
  return `Lowest price we have seen: ${formatMoney(price, currency)} at ${store} on ${shortDate(at, timeZone)}, without shipping.`;
}
