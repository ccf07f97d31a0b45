import { formatMoney } from '#app/platform/money.ts';
import { shortDate } from '#app/platform/time-words.ts';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';

/** What a page may say a deal saves, and what that rests on (P7a). Prices in cents. */
export interface PriceClaim {
  percent: number | null;
  was: number | null;
  saved: number | null;
  basis: 'claimed' | 'seen' | 'observed' | 'none';
  /** A full sentence for the deal page. */
  evidence: string;
  /** A few words for the card; null where nothing is claimed. */
  shortEvidence: string | null;
}

export interface ClaimedDeal {
  sale_price: number;
  original_price: number | null;
  discount_percent: number;
  observed_percent: number;
  low_30_before: number | null;
  merchant: { name: string };
}

export type ClaimingSite = Pick<SiteSettings, 'priceClaims' | 'currency' | 'timeZone'>;

/**
 * `claimed`: the merchant's two prices, with a note of whose claim it is, or that our log saw it charged. `observed`:
 * only what the lowest price of the 30 days before the reduction allows (EU Directive 98/6/EC, article 6a); without
 * that history, no percentage and no struck price.
 */
export function judgeClaim(deal: ClaimedDeal, originalSeenUntil: Date | null, site: ClaimingSite) {
  return site.priceClaims === 'observed'
    ? judgeObserved(deal, site.currency)
    : judgeClaimed(deal, originalSeenUntil, site);
}

function judgeClaimed(
  deal: ClaimedDeal,
  originalSeenUntil: Date | null,
  { currency, timeZone }: ClaimingSite,
): PriceClaim {
  const was = deal.original_price;
  if (was === null || was <= deal.sale_price) {
    return nothing('The store claims no earlier price for this deal.');
  }
  const asked = formatMoney(was, currency);
  const claim = { percent: claimable(deal.discount_percent), was, saved: was - deal.sale_price };
  if (!originalSeenUntil) {
    const evidence = `${asked} is ${possessive(deal.merchant.name)} own claim. We have not seen the store charge it.`;
    return { ...claim, basis: 'claimed', evidence, shortEvidence: 'Was: the store’s claim' };
  }
  const evidence = `We saw the store charge ${asked} ourselves, until ${shortDate(originalSeenUntil, timeZone)}.`;
  return { ...claim, basis: 'seen', evidence, shortEvidence: 'Was: seen by us' };
}

function judgeObserved(deal: ClaimedDeal, currency: string): PriceClaim {
  const low = deal.low_30_before;
  if (low === null) {
    return nothing('We have not watched this price long enough to call it a reduction.');
  }
  const lowest = formatMoney(low, currency);
  if (low <= deal.sale_price) {
    return nothing(
      `Not a reduction: we saw ${lowest} in the 30 days before the present price began.`,
    );
  }
  return {
    percent: claimable(deal.observed_percent),
    was: low,
    saved: low - deal.sale_price,
    basis: 'observed',
    evidence: `${lowest} was the lowest price we saw in the 30 days before the present price began.`,
    shortEvidence: 'Was: 30-day low, seen by us',
  };
}

/** Rounded, a cent off is 0 % and nearly everything off is 100 %: the one is no claim, the other not true. */
function claimable(percent: number): number | null {
  return percent < 1 ? null : Math.min(percent, 99);
}

function nothing(evidence: string): PriceClaim {
  return { percent: null, was: null, saved: null, basis: 'none', evidence, shortEvidence: null };
}

function possessive(name: string): string {
  return name.endsWith('s') ? `${name}’` : `${name}’s`;
}
