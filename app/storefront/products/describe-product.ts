import { dealStatusLabel } from '#app/features/deals/deal-labels.ts';
import type { DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import {
  allOffers,
  type Comparison,
  type ConditionClass,
  countStores,
  type Offer,
  storesFrom,
} from '#app/features/products/compare-offers.ts';
import { classTitles, conditionSuffix, shippingWords } from '#app/features/products/offer-words.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { formatMoney } from '#app/platform/money.ts';
import { timeAgo } from '#app/platform/time-words.ts';

/** An offer as the table shows it. Hidden prices are not sent to the browser. */
export interface ShownOffer {
  id: number;
  slug: string;
  /** The store's own title, by which visitors can tell whether it is the same product. */
  title: string;
  store: string;
  host: string;
  condition: string;
  price: number | null;
  shipping: number | null;
  stock: string;
  checkedAt: Date;
  /** The time when the offer ended, or `null` while it is live. */
  endedAt: Date | null;
}

const stockLabels = { in_stock: 'In stock', out_of_stock: 'Out of stock', unknown: 'Not stated' };

export function showOffer({ deal, price, shipping }: Offer<DealSummary>): ShownOffer {
  const { id, slug, title, merchant, outHost, availability, price_checked_at } = deal;
  return {
    id,
    slug,
    title,
    store: merchant.name,
    host: outHost || merchant.name,
    condition: dealStatusLabel(deal),
    price,
    shipping,
    stock: stockLabels[availability],
    checkedAt: price_checked_at,
    endedAt: deal.is_expired ? deal.expires_at : null,
  };
}

/** A list of offers under its heading. */
export interface OfferSection {
  /** The id of the heading. */
  id: string;
  title: string;
  hint?: string;
  offers: ShownOffer[];
  /** Whether shipping and totals of the offers are known. */
  hasTotals?: boolean;
}

/**
 * Returns the non-empty lists of a product's offers. Offers with known shipping are listed by
 * condition class, so that the first offer of a list is the cheapest.
 */
export function listSections(
  { ranked, unstated, others, condition }: Comparison<DealSummary>,
  isEnded: boolean,
): OfferSection[] {
  const inClass = (one: ConditionClass) =>
    ranked.filter((offer) => offer.condition === one).map(showOffer);
  const rest = (['refurbished', 'used'] as const).filter((one) => one !== condition);
  const sections: OfferSection[] = [
    {
      id: 'offers',
      title:
        condition === null || condition === 'new' ? 'Offers' : `${classTitles[condition]} offers`,
      offers: condition === null ? [] : inClass(condition),
      hasTotals: true,
    },
    ...rest.map((one) => ({
      id: `${one}-offers`,
      title: `${classTitles[one]} offers`,
      offers: inClass(one),
      hasTotals: true,
    })),
    {
      id: 'shipping-not-stated',
      title: 'Shipping not stated',
      hint: 'These stores do not tell us what shipping costs, so their prices can’t be compared with the totals.',
      offers: unstated.map(showOffer),
    },
    {
      id: 'not-compared',
      title: isEnded ? 'Ended offers' : 'Not compared',
      ...(!isEnded && { hint: 'Out of stock, or the store wants its price hidden.' }),
      offers: others.map(showOffer),
    },
  ];
  return sections.filter(({ offers }) => offers.length > 0);
}

/** Returns the offer that the headline names, or `null` if no price may be compared. */
export function findBestOffer({
  ranked,
  unstated,
  condition,
}: Comparison<DealSummary>): ShownOffer | null {
  const best = [...ranked, ...unstated].find((offer) => offer.condition === condition);
  return best ? showOffer(best) : null;
}

/** The sentence at the top of the page, in three parts: the price and the texts around it. */
export interface Headline {
  /** The text before the price, or the whole text if there is no price. */
  start: string;
  price: string | null;
  rest: string;
}

/** Returns "From $79.99 incl. shipping at 3 of 5 stores, checked 12 minutes ago" in its parts. */
export function describeHeadline(
  comparison: Comparison<DealSummary>,
  isEnded: boolean,
  currency: string,
  now: Date,
): Headline {
  const { ranked, unstated, condition } = comparison;
  const all = countStores(allOffers(comparison));
  const bare = (start: string): Headline => ({ start, price: null, rest: '' });
  if (isEnded) return bare('No longer on offer');
  const best = storesFrom({ ranked, unstated }, condition);
  if (!best) return bare(`No price to compare at ${countNoun(all, 'store')}`);
  const known = best.isTotal ? best.compared : best.stores;
  const stores = known === all ? countNoun(all, 'store') : `${known} of ${countNoun(all, 'store')}`;
  const [first] = best.isTotal ? ranked : unstated;
  const checked = first ? `, checked ${timeAgo(first.deal.price_checked_at, now)}` : '';
  return {
    start: 'From',
    price: formatMoney(best.from, currency),
    rest: `${shippingWords(best.isTotal)}${conditionSuffix(condition)} at ${stores}${checked}`,
  };
}

export function writeHeadline({ start, price, rest }: Headline): string {
  return price === null ? start : `${start} ${price} ${rest}`;
}
