import { countNoun } from '#app/platform/count-noun.ts';
import { formatMoney } from '#app/platform/money.ts';
import { shortDate } from '#app/platform/time-words.ts';
import { type PriceProof, periodBefore } from './price-proof.ts';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';

/** What a page may say a deal saves, and what that rests on (P7a). Prices in cents. */
export interface PriceClaim {
  percent: number | null;
  was: number | null;
  saved: number | null;
  basis: 'claimed' | 'seen' | 'observed' | 'none';
  /** A full sentence for the deal page. */
  evidence: string;
  /** Where the struck price comes from, in a few words; null where nothing is claimed. */
  source: string | null;
}

export interface ClaimedDeal {
  sale_price: number;
  original_price: number | null;
  discount_percent: number;
  observed_percent: number;
  low_30_before: number | null;
  price_since: Date;
  merchant: { name: string };
}

export type ClaimingSite = Pick<
  SiteSettings,
  'priceClaims' | 'wasPriceDays' | 'currency' | 'timeZone'
>;

type SeenClaim = Pick<PriceProof, 'originalSeenUntil' | 'originalAskedDays' | 'watchedSince'>;

/**
 * `claimed`: the merchant's two prices, with a note of whose claim it is, or for how long our log saw it charged; a price
 * that we saw for less than the owner's bound is no earlier price. `observed`: only what the lowest price of the 30 days before the reduction allows (EU Directive 98/6/EC, article 6a); without
 * that history, no percentage and no struck price.
 */
export function judgeClaim(deal: ClaimedDeal, seen: SeenClaim, site: ClaimingSite) {
  return site.priceClaims === 'observed'
    ? judgeObserved(deal, seen, site.currency)
    : judgeClaimed(deal, seen, site);
}

function judgeClaimed(
  deal: ClaimedDeal,
  { originalSeenUntil, originalAskedDays: days }: SeenClaim,
  { currency, timeZone, wasPriceDays }: ClaimingSite,
): PriceClaim {
  const was = deal.original_price;
  if (was === null || was <= deal.sale_price) {
    return nothing('The store claims no earlier price for this deal.');
  }
  const asked = formatMoney(was, currency);
  const claim = { percent: claimable(deal.discount_percent), was, saved: was - deal.sale_price };
  if (!originalSeenUntil) {
    const evidence = `${asked} is ${possessive(deal.merchant.name)} own claim. We have not seen the store charge it.`;
    return { ...claim, basis: 'claimed', evidence, source: 'the store’s claim' };
  }
  const period = days < 1 ? 'less than a day' : countNoun(days, 'day');
  const sawIt = `We saw the store charge ${asked} for ${period} of the last 90`;
  if (days < wasPriceDays) {
    return nothing(`${sawIt}: too short to call it an earlier price.`);
  }
  const evidence = `${sawIt}, until ${shortDate(originalSeenUntil, timeZone)}.`;
  return { ...claim, basis: 'seen', evidence, source: `asked for ${period}` };
}

function judgeObserved(deal: ClaimedDeal, seen: SeenClaim, currency: string): PriceClaim {
  const low = deal.low_30_before;
  if (low === null) {
    return nothing('We have not watched this price long enough to call it a reduction.');
  }
  const lowest = formatMoney(low, currency);
  const period = periodBefore(seen, deal.price_since);
  if (low <= deal.sale_price) {
    return nothing(`Not a reduction: we saw ${lowest} ${period}.`);
  }
  return {
    percent: claimable(deal.observed_percent),
    was: low,
    saved: low - deal.sale_price,
    basis: 'observed',
    evidence: `${lowest} was the lowest price we saw ${period}.`,
    source: '30-day low, seen by us',
  };
}

/** Rounded, a cent off is 0 % and nearly everything off is 100 %: the one is no claim, the other not true. */
function claimable(percent: number): number | null {
  return percent < 1 ? null : Math.min(percent, 99);
}

function nothing(evidence: string): PriceClaim {
  return { percent: null, was: null, saved: null, basis: 'none', evidence, source: null };
}

function possessive(name: string): string {
  return name.endsWith('s') ? `${name}’` : `${name}’s`;
}
