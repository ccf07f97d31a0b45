import { countNoun } from '#app/platform/count-noun.ts';
import { formatMoney } from '#app/platform/money.ts';
import { shortDate } from '#app/platform/time-words.ts';
import type { ClaimingSite, PriceClaim } from './price-claims.ts';
import { periodBefore, type PriceProof } from './price-proof.ts';
import type { UsualPrice } from './usual-price.ts';

const day = 86_400_000;

const untracked = ': this store does not let us track its prices';

/** days; with fewer, a price is not compared with others */
const leastCompared = 2;

/** A sentence about a price. The sentence begins with the price, which pages print large. */
export interface Verdict {
  price: string;
  /** Everything after the price: `, usually $63: lower than on 87 of the last 89 days`. */
  rest: string;
}

export interface VerdictDeal {
  sale_price: number;
  availability: string;
  is_expired: boolean;
  expires_at: Date | null;
  reference_price: number | null;
  low_30_before: number | null;
  price_since: Date;
  merchant: { keep_history: boolean };
}

interface Compared {
  /** The price to compare, in minor units. */
  present: number;
  site: Pick<ClaimingSite, 'currency'>;
  /** The number of full days since the deal was first seen on offer. */
  watched: number;
}

interface Facts extends Compared {
  deal: VerdictDeal;
  proof: PriceProof;
  claim: PriceClaim;
  site: ClaimingSite;
}

/**
 * Describes what the price log proves about a price in one sentence. The sentence never promises
 * more than the discount on the same page. If the discount check found no saving, the sentence
 * states that.
 */
export function writeVerdict(
  deal: VerdictDeal,
  proof: PriceProof,
  claim: PriceClaim,
  site: ClaimingSite,
  now: Date,
): Verdict {
  const { sale_price: present } = deal;
  const facts = { present, deal, proof, claim, site, watched: daysWatched(proof, now) };
  return { price: inMoney(present, site), rest: describeStanding(facts) };
}

/**
 * Compares a visitor's price with the log of a deal, in one sentence. Discounts and availability
 * are not covered, since those belong to the deal's own price.
 */
export function placePrice(
  present: number,
  { merchant }: Pick<VerdictDeal, 'merchant'>,
  proof: PriceProof,
  site: Pick<ClaimingSite, 'currency'>,
  now: Date,
): Verdict {
  const place = { present, site, watched: daysWatched(proof, now) };
  const rest = merchant.keep_history ? describePlace(proof, place) : untracked;
  return { price: inMoney(present, site), rest };
}

function daysWatched({ watchedSince: since }: PriceProof, now: Date): number {
  return since ? Math.floor((now.getTime() - since.getTime()) / day) : 0;
}

function describePlace({ usual, watchedSince, lowestEver }: PriceProof, place: Compared): string {
  const { present, site, watched } = place;
  if (usual) return countDays(usual, place);
  if (!watchedSince || lowestEver === null) return ': we have no price history of this deal yet';
  if (watched < leastCompared) {
    const period = watched < 1 ? 'less than a day' : countNoun(watched, 'day');
    return `: we have watched this deal for ${period}, too briefly to judge a price`;
  }
  const difference = present - lowestEver;
  const distance = `${inMoney(Math.abs(difference), site)} ${difference > 0 ? 'above' : 'below'}`;
  return `, ${difference === 0 ? 'the same as' : distance} the lowest in ${watchedPeriod(place)}`;
}

function describeStanding(facts: Facts): string {
  const { deal, proof, site, watched } = facts;
  if (deal.is_expired) {
    const at = deal.expires_at ? ` on ${shortDate(deal.expires_at, site.timeZone)}` : '';
    return ` was the last price: this deal expired${at}`;
  }
  if (deal.availability === 'out_of_stock') return ', but out of stock when last checked';
  if (!deal.merchant.keep_history) return untracked;
  if (proof.usual) return describeRefusal(proof.usual, facts) ?? compare(proof.usual, facts);
  return watched < leastCompared ? describeStart(facts) : describeLow(facts);
}

/**
 * Returns the result of the site's claim rule if it found no saving although the usual price is
 * higher.
 */
function describeRefusal(usual: UsualPrice, facts: Facts): string | null {
  const { present, deal, proof, claim, site } = facts;
  const { reference_price: reference, low_30_before: low } = deal;
  if (present >= usual.price || claim.percent !== null) return null;
  if (site.priceClaims === 'checked' && reference !== null && reference < usual.price) {
    return `, no saving according to our discount check, which compared it with ${inMoney(reference, site)}`;
  }
  if (site.priceClaims === 'observed' && low !== null && low < usual.price) {
    return `, no reduction: we saw ${inMoney(low, site)} ${periodBefore(proof, deal.price_since)}`;
  }
  return null;
}

function compare(usual: UsualPrice, facts: Facts): string {
  if (!usual.isSteady) return countDays(usual, facts, describeSmallerSaving(usual.price, facts));
  const { days } = usual;
  return isWhole(usual, facts)
    ? `, unchanged for ${days} days`
    : `, the same on all the ${days} ${onOffer}`;
}

/** Compares a price with the usual one, and with the prices of each day. */
function countDays(usual: UsualPrice, place: Compared, saving: string | null = null): string {
  const { present, site } = place;
  const { price, days, higher, same, lower } = usual;
  const period = isWhole(usual, place) ? `last ${days} days` : `${days} ${onOffer}`;
  const count = (opening: string, compared: string, times: number) =>
    // The stored median may be a day older than the counts.
    times === 0 ? opening : `${opening}: ${compared} on ${times} of the ${period}`;
  if (present === price) return count(', its usual price', 'the same as', same);
  const usually = `${isNear(present, price) ? 'about its usual' : 'usually'} ${inMoney(price, site)}`;
  return present < price
    ? count(`, ${saving ?? usually}`, 'lower than', higher)
    : count(`, ${usually}`, 'higher than', lower);
}

const onOffer = 'days that we saw it on offer';

/**
 * Returns whether the deal was on offer without interruption, so that “the last” days is correct.
 */
function isWhole({ days }: UsualPrice, { watched }: Compared): boolean {
  return days >= Math.min(90, watched);
}

/** Returns the saving shown on the page if it is smaller than the one from the usual price. */
function describeSmallerSaving(usual: number, { claim, site }: Facts): string | null {
  const { was, saved, basis } = claim;
  if (was === null || saved === null || was >= usual || basis === 'claimed') return null;
  return `${inMoney(saved, site)} below the ${inMoney(was, site)} it cost before`;
}

/** Describes a price if the log is shorter than two days. */
function describeStart({ proof, claim, site, watched }: Facts): string {
  const period = countNoun(watched, 'day');
  if (claim.basis === 'claimed' && claim.was !== null) {
    const doubt = watched < 1 ? 'we can’t confirm yet' : `${period} of our log can’t confirm`;
    return `; the store says it was ${inMoney(claim.was, site)}, which ${doubt}`;
  }
  if (!proof.watchedSince) return ': we have no price history of it yet';
  return watched < 1
    ? ': we have watched this price for less than a day'
    : `: we have watched this price for ${period}, too briefly to judge it`;
}

/**
 * Describes a price if there is no usual price, since the log is short or the deal was mostly out
 * of stock.
 */
function describeLow(facts: Facts): string {
  const { present, proof, site, watched } = facts;
  const { lowestEver, lowestBefore, lowest90, lowest30 } = proof;
  const period = watchedPeriod(facts);
  if (lowestEver === null || lowestBefore === null) return `, unchanged in ${period}`;
  if (present <= lowestEver) return `, the lowest in ${period}`;
  if (watched >= 90 && lowest90 !== null && present <= lowest90) return ', the lowest in 90 days';
  if (watched >= 30 && lowest30 !== null && present <= lowest30) return ', the lowest in 30 days';
  return `, ${inMoney(present - lowestEver, site)} above the lowest in ${period}`;
}

function watchedPeriod({ watched }: Compared): string {
  return `the ${countNoun(watched, 'day')} that we have watched it`;
}

/** Returns whether two prices differ by less than 1%, which no page calls a saving. */
function isNear(present: number, usual: number): boolean {
  return Math.abs(usual - present) * 100 < usual;
}

function inMoney(amount: number, { currency }: Pick<ClaimingSite, 'currency'>): string {
  return formatMoney(amount, currency, { wholeIfRound: true });
}
