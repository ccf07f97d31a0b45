import type { DealDetail } from '#app/features/deals/deal-queries.server.ts';
import type { PriceProof } from '#app/features/prices/price-proof.ts';
import type { Verdict } from '#app/features/prices/price-verdict.ts';
import type { ShareCard } from './share-card.server.ts';

/** The contents of a deal's share picture. Its URL changes if any of them changes. */
export interface SharedDeal {
  title: string;
  store: string;
  /** The price with its currency, or `null` if the store wants prices hidden after some hours. */
  price: string | null;
  /** The verdict that follows the price on the deal's page, or `''` if the log proves nothing. */
  rest: string;
  /** The time from which the deal has had this price, or `null` if no price line may be shown. */
  lineSince: string | null;
  /** The prices of the price line, since voiding a price may change nothing else. */
  linePrices: number[];
  isExpired: boolean;
  /** The path or URL of the product's picture. */
  picture: string | null;
  site: ShareCard['site'];
}

/**
 * Returns what a deal's share picture shows, from values that the deal's page needs anyway. A price
 * that must not be tracked, or has no log, gets no verdict and no line. A price that may be hidden
 * later is left out at once, since chats keep pictures and texts for longer.
 */
export function shareDeal(
  deal: Pick<
    DealDetail,
    'title' | 'picture' | 'is_expired' | 'availability' | 'price_since' | 'merchant'
  >,
  pageVerdict: Verdict | null,
  proof: Pick<PriceProof, 'watchedSince' | 'prices'>,
  { siteName, accent, logoUrl }: SharedDeal['site'],
): SharedDeal {
  const verdict = deal.merchant.hide_price_after_hours === null ? pageVerdict : null;
  const hasLog = deal.merchant.keep_history && proof.watchedSince !== null;
  const isOver = deal.is_expired || deal.availability === 'out_of_stock';
  return {
    title: deal.title,
    store: deal.merchant.name,
    price: verdict?.price ?? null,
    rest: verdict && (hasLog || isOver) ? verdict.rest : '',
    lineSince: verdict && hasLog ? deal.price_since.toISOString() : null,
    linePrices: verdict && hasLog ? proof.prices : [],
    isExpired: deal.is_expired,
    picture: deal.picture,
    site: { siteName, accent, logoUrl },
  };
}

/**
 * Returns the contents as they are drawn: the price in large type, with the verdict as small print.
 */
export function dealCard({ title, store, price, rest, picture, site }: SharedDeal): ShareCard {
  const verdict = rest.replace(/^[\s,;:]+/, '');
  return {
    title,
    loud: price ?? `See price at ${store}`,
    loudSize: price === null ? 44 : 76,
    aside: price === null ? '' : `at ${store}`,
    text: verdict.charAt(0).toUpperCase() + verdict.slice(1),
    pictures: picture === null ? [] : [picture],
    layout: 'deal',
    lineName: 'Price',
    site,
  };
}

/** Returns the sentence to share: `Desk lamp at Oakhaft. $39, usually $63.`. */
export function shareSentence({ title, store, price, rest }: SharedDeal): string {
  return price === null ? `${title} at ${store}` : `${title} at ${store}. ${price}${rest}.`;
}
