import { type ShippedDeal, shippingOf } from '#app/features/deals/shipping.ts';
import { isPriceHidden } from '#app/features/prices/hide-price.ts';
import type { Availability, DealCondition, DealStatus } from '#database/schema/catalog-tables.ts';

/** The condition classes, the best first. Offers are compared only within a class. */
export const conditionClasses = ['new', 'refurbished', 'used'] as const;
export type ConditionClass = (typeof conditionClasses)[number];

type ComparedDeal = ShippedDeal &
  Parameters<typeof isPriceHidden>[0] & {
    id: number;
    status: DealStatus;
    condition: DealCondition | null;
    availability: Availability;
    merchant: { id: number };
  };

/** An offer of a product, with prices in minor units. */
export interface Offer<Deal> {
  deal: Deal;
  condition: ConditionClass;
  /** `null` if the store now requires hiding the price. */
  price: number | null;
  /** `null` if neither the deal nor its store states the cost. */
  shipping: number | null;
}

export interface PricedOffer<Deal> extends Offer<Deal> {
  price: number;
}

/** Offers in three lists. Only the first one has totals to compare. */
export interface Comparison<Deal> {
  ranked: (PricedOffer<Deal> & { shipping: number })[];
  /** Offers whose shipping cost is unknown, which are never the cheapest. */
  unstated: PricedOffer<Deal>[];
  /** Offers that are out of stock or have a hidden price. */
  others: Offer<Deal>[];
  /** The class of the headline: the best one on offer. */
  condition: ConditionClass | null;
}

function classOf({
  status,
  condition,
}: Pick<ComparedDeal, 'status' | 'condition'>): ConditionClass {
  if (status === 'new') return 'new';
  return condition === 'refurbished' ? 'refurbished' : 'used';
}

/**
 * Sorts live offers in one currency by class, then by price with shipping. Of equal offers, the one
 * checked last comes first. Commissions do not matter.
 */
export function compareOffers<Deal extends ComparedDeal>(
  deals: readonly Deal[],
  now: Date,
): Comparison<Deal> {
  const comparison: Comparison<Deal> = { ranked: [], unstated: [], others: [], condition: null };
  for (const deal of deals) {
    const condition = classOf(deal);
    const shipping = shippingOf(deal);
    if (isPriceHidden(deal, now)) {
      comparison.others.push({ deal, condition, price: null, shipping: null });
      continue;
    }
    const offer = { deal, condition, price: deal.sale_price };
    if (deal.availability === 'out_of_stock') comparison.others.push({ ...offer, shipping });
    else if (shipping === null) comparison.unstated.push({ ...offer, shipping });
    else comparison.ranked.push({ ...offer, shipping });
  }
  comparison.ranked.sort(inOrder);
  comparison.unstated.sort(inOrder);
  comparison.others.sort(inOrder);
  const onOffer = new Set(
    [...comparison.ranked, ...comparison.unstated].map(({ condition }) => condition),
  );
  comparison.condition = conditionClasses.find((one) => onOffer.has(one)) ?? null;
  return comparison;
}

/** Compares the offers of a product, except for ended ones. */
export function compareProduct<Deal extends ComparedDeal>(
  { offers, isEnded }: { offers: readonly Deal[]; isEnded: boolean },
  now: Date,
): Comparison<Deal> {
  const comparison = compareOffers(offers, now);
  if (!isEnded) return comparison;
  const others = allOffers(comparison).toSorted(inOrder);
  return { ranked: [], unstated: [], others, condition: null };
}

/** Returns the offers of all three lists. */
export function allOffers<Deal>({
  ranked,
  unstated,
  others,
}: Pick<Comparison<Deal>, 'ranked' | 'unstated' | 'others'>): Offer<Deal>[] {
  return [...ranked, ...unstated, ...others];
}

/** Returns the number of different stores among the offers. */
export function countStores(offers: readonly Offer<{ merchant: { id: number } }>[]): number {
  return new Set(offers.map(({ deal }) => deal.merchant.id)).size;
}

function inOrder(a: Offer<ComparedDeal>, b: Offer<ComparedDeal>): number {
  const total = ({ price, shipping }: Offer<ComparedDeal>) =>
    price === null ? Number.MAX_SAFE_INTEGER : price + (shipping ?? 0);
  return (
    conditionClasses.indexOf(a.condition) - conditionClasses.indexOf(b.condition) ||
    total(a) - total(b) ||
    b.deal.price_checked_at.getTime() - a.deal.price_checked_at.getTime() ||
    a.deal.id - b.deal.id
  );
}

/** The lowest price of a class, and the number of stores that offer the product in this class. */
export interface StoresFrom {
  /** The number of stores. */
  stores: number;
  /** The number of stores whose shipping cost is known. */
  compared: number;
  from: number;
  /** Whether `from` includes shipping. */
  isTotal: boolean;
}

/** Summarizes the offers of a class. Returns `null` if there are none. */
export function storesFrom(
  { ranked, unstated }: Pick<Comparison<ComparedDeal>, 'ranked' | 'unstated'>,
  condition: ConditionClass | null,
): StoresFrom | null {
  const known = ranked.filter((offer) => offer.condition === condition);
  const unknown = unstated.filter((offer) => offer.condition === condition);
  const facts = { stores: countStores([...known, ...unknown]), compared: countStores(known) };
  const [best] = known;
  if (best) return { ...facts, from: best.price + best.shipping, isTotal: true };
  const [first] = unknown;
  return first ? { ...facts, from: first.price, isTotal: false } : null;
}

/**
 * Summarizes the offers of other stores in the class of a deal. Returns `null` if there are none.
 */
export function alsoAt(
  deal: ComparedDeal,
  offers: readonly ComparedDeal[],
  now: Date,
): StoresFrom | null {
  const others = offers.filter(({ merchant }) => merchant.id !== deal.merchant.id);
  return storesFrom(compareOffers(others, now), classOf(deal));
}
