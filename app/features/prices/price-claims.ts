import { countNoun } from '#app/platform/count-noun.ts';
import { formatMoney } from '#app/platform/money.ts';
import { shortDate } from '#app/platform/time-words.ts';
import { type PriceProof, periodBefore } from './price-proof.ts';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';

/** The discount that a page may claim, with its basis. Prices are in minor units. */
export interface PriceClaim {
  percent: number | null;
  was: number | null;
  saved: number | null;
  basis: 'claimed' | 'seen' | 'usual' | 'measured' | 'observed' | 'none';
  /**
   * Whether our log is too short to check the store's claim, although the site checks claims. Such
   * badges are outlined.
   */
  isUnchecked: boolean;
  /**
   * The percentage announced by the store, if it differs from `percent` and the site checks claims.
   */
  storePercent: number | null;
  /** A full sentence for the deal's page. */
  evidence: string;
  /** The origin of the struck price in a few words, or `null` if nothing is claimed. */
  source: string | null;
}

export interface ClaimedDeal {
  sale_price: number;
  original_price: number | null;
  discount_percent: number;
  observed_percent: number;
  checked_percent: number;
  low_30_before: number | null;
  reference_price: number | null;
  price_since: Date;
  merchant: { name: string };
}

export type ClaimingSite = Pick<
  SiteSettings,
  'priceClaims' | 'wasPriceDays' | 'currency' | 'timeZone'
>;

type SeenClaim = Pick<
  PriceProof,
  'originalSeenUntil' | 'originalAskedDays' | 'watchedSince' | 'usualPrice'
>;

type Claim = Omit<PriceClaim, 'isUnchecked' | 'storePercent'>;

/**
 * Determines the discount by the site's setting. `checked`: from the deal's reference price, or the
 * store's claim, marked as unchecked, if the log is too short. `claimed`: from the merchant's two
 * prices, with who claims it. If our log saw the earlier price for the owner's minimum duration,
 * that is stated instead. `observed`: only what the lowest price of the 30 days before the
 * reduction allows (EU Directive 98/6/EC, article 6a). Without that history, there is no percentage
 * and no struck price.
 */
export function judgeClaim(deal: ClaimedDeal, seen: SeenClaim, site: ClaimingSite): PriceClaim {
  const plain = { isUnchecked: false, storePercent: null };
  switch (site.priceClaims) {
    case 'checked':
      return judgeChecked(deal, seen, site);
    case 'claimed':
      return { ...plain, ...judgeClaimed(deal, seen, site) };
    case 'observed':
      return { ...plain, ...judgeObserved(deal, seen, site.currency) };
  }
}

function judgeChecked(deal: ClaimedDeal, seen: SeenClaim, site: ClaimingSite): PriceClaim {
  const { reference_price: reference, sale_price } = deal;
  // Logs of a store that forbids price history are not used.
  if (reference === null || !seen.watchedSince) {
    const claim = claimOfStore(deal, site);
    return { ...claim, isUnchecked: claim.basis !== 'none', storePercent: null };
  }
  const announced = announcedBy(deal);
  const percent = claimable(deal.checked_percent);
  const { basis, compared, source } = compareWith(reference, deal, seen, site);
  const storePercent = announced === percent ? null : announced;
  const isReduced = percent !== null;
  const evidence = isReduced
    ? `${compared}.`
    : `No saving according to our log: ${lowerFirst(compared)}.`;
  const saving: Claim = isReduced
    ? { percent, was: reference, saved: reference - sale_price, basis, evidence, source }
    : nothing(evidence);
  return { ...saving, isUnchecked: false, storePercent };
}

/**
 * Describes which of the three values the reference price is. If two are equal, the earlier price
 * is named.
 */
function compareWith(
  reference: number,
  { original_price }: ClaimedDeal,
  { originalSeenUntil, originalAskedDays, usualPrice }: SeenClaim,
  { currency, timeZone, wasPriceDays }: ClaimingSite,
): { basis: 'seen' | 'usual' | 'measured'; compared: string; source: string } {
  const price = formatMoney(reference, currency);
  if (reference === original_price && originalSeenUntil && originalAskedDays >= wasPriceDays) {
    const period = daysAsked(originalAskedDays);
    return {
      basis: 'seen',
      compared: `We saw the store charge ${price} for ${period} of the last 90, until ${shortDate(originalSeenUntil, timeZone)}`,
      source: `for ${period}`,
    };
  }
  return reference === usualPrice
    ? {
        basis: 'usual',
        compared: `Its usual price is ${price}, the median of the last 90 days`,
        source: 'its usual price',
      }
    : {
        basis: 'measured',
        compared: `Our discount check compared this reduction with ${price}`,
        source: 'seen in our log',
      };
}

function claimOfStore(deal: ClaimedDeal, { currency }: ClaimingSite): Claim {
  const was = deal.original_price;
  if (was === null || was <= deal.sale_price) return claimsNothing();
  return {
    percent: claimable(deal.discount_percent),
    was,
    saved: was - deal.sale_price,
    basis: 'claimed',
    evidence: `${formatMoney(was, currency)} is ${possessive(deal.merchant.name)} own claim. Our log is too short to check it.`,
    source: 'the store’s claim, not checked yet',
  };
}

function judgeClaimed(
  deal: ClaimedDeal,
  { originalSeenUntil, originalAskedDays: days }: SeenClaim,
  { currency, timeZone, wasPriceDays }: ClaimingSite,
): Claim {
  const was = deal.original_price;
  if (was === null || was <= deal.sale_price) return claimsNothing();
  const asked = formatMoney(was, currency);
  const claim = { percent: claimable(deal.discount_percent), was, saved: was - deal.sale_price };
  if (!originalSeenUntil) {
    const evidence = `${asked} is ${possessive(deal.merchant.name)} own claim. We have not seen the store charge it.`;
    return { ...claim, basis: 'claimed', evidence, source: 'the store’s claim' };
  }
  const period = daysAsked(days);
  const sawIt = `We saw the store charge ${asked} for ${period} of the last 90`;
  if (days < wasPriceDays) {
    return nothing(`${sawIt}: too short to call it an earlier price.`);
  }
  const evidence = `${sawIt}, until ${shortDate(originalSeenUntil, timeZone)}.`;
  return { ...claim, basis: 'seen', evidence, source: `for ${period}` };
}

function judgeObserved(deal: ClaimedDeal, seen: SeenClaim, currency: string): Claim {
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

/** Returns the badge of a claim, or `null` if there is none. */
export function discountOf({ percent, isUnchecked }: Pick<PriceClaim, 'percent' | 'isUnchecked'>) {
  return percent === null ? null : { percent, isUnchecked };
}

/** Returns a badge as text for emails, such as `20% off`. */
export function percentOff({ percent, isUnchecked }: Pick<PriceClaim, 'percent' | 'isUnchecked'>) {
  if (percent === null) return null;
  return isUnchecked ? `Store says ${percent}% off` : `${percent}% off`;
}

/**
 * Returns the line below the prices of a card or email, such as `Was: its usual price · store says
 * −58%`.
 */
export function claimNote(
  { basis, was, source, storePercent }: PriceClaim,
  currency: string,
): string | null {
  const store = storePercent === null ? null : `tore says −${storePercent}%`;
  if (source === null) return store && `S${store}`;
  const isSeen = basis === 'seen' && was !== null;
  const note = isSeen ? `Was ${formatMoney(was, currency)} ${source}` : `Was: ${source}`;
  return store === null ? note : `${note} · s${store}`;
}

function announcedBy({ original_price, sale_price, discount_percent }: ClaimedDeal): number | null {
  return original_price !== null && original_price > sale_price
    ? claimable(discount_percent)
    : null;
}

function daysAsked(days: number): string {
  return days < 1 ? 'less than a day' : countNoun(days, 'day');
}

/**
 * Returns a percentage that may be claimed. Rounding could give 0%, which is not a claim, or 100%,
 * which is false.
 */
function claimable(percent: number): number | null {
  return percent < 1 ? null : Math.min(percent, 99);
}

function claimsNothing(): Claim {
  return nothing('The store claims no earlier price for this deal.');
}

function nothing(evidence: string): Claim {
  return { percent: null, was: null, saved: null, basis: 'none', evidence, source: null };
}

function possessive(name: string): string {
  return name.endsWith('s') ? `${name}’` : `${name}’s`;
}

/** Lowercases the first letter, so that a sentence can continue another one. */
function lowerFirst(sentence: string): string {
  return sentence.replace(/^(?:Its|Our|We)/, (word) => word.toLowerCase());
}
