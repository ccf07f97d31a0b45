import { countNoun } from '#app/platform/count-noun.ts';
import { formatMoney } from '#app/platform/money.ts';
import { shortDate } from '#app/platform/time-words.ts';
import type { LeaveOutReason, Verdict } from '#database/schema/catalog-tables.ts';

const day = 86_400_000;
const fewest = 50;
const widest = 0.15;

/** Returns two bounds that contain the true share in 95 of 100 cases (Wilson 1927), from 0 to 1. */
export function wilsonInterval(hits: number, cases: number): { low: number; high: number } {
  if (cases === 0) return { low: 0, high: 1 };
  const z = 1.959_964;
  const share = hits / cases;
  const middle = share + (z * z) / (2 * cases);
  const half = z * Math.sqrt((share * (1 - share)) / cases + (z * z) / (4 * cases * cases));
  const whole = 1 + (z * z) / cases;
  return {
    low: hits === 0 ? 0 : Math.max(0, (middle - half) / whole),
    high: hits === cases ? 1 : Math.min(1, (middle + half) / whole),
  };
}

/** Returns a share with its interval, rounded outward, or `null` if there are too few cases. */
export function describeShare(
  hits: number,
  cases: number,
): { share: string; range: string } | null {
  const { low, high } = wilsonInterval(hits, cases);
  if (cases < fewest || high - low > widest) return null;
  const range = `${Math.floor(low * 100)}–${Math.ceil(high * 100)}%`;
  return { share: `${Math.round((hits / cases) * 100)}%`, range };
}

/** A store page's statistics on 90 days of reductions. Shares are in percent. */
export interface StoreCheck {
  counted_at: Date;
  announced: number;
  checked: number;
  matched: number;
  smaller: number;
  nothing: number;
  raised: number;
  left_out: number;
  median_announced: number | null;
  median_seen: number | null;
  watched_long: number;
  never_seen: number;
  feed_days: number;
  read_days: number;
  gap_from: string | null;
  gap_days: number;
  /** Lows by month, oldest first, with `month` as `2026-11`. */
  lows: { month: string; deals: number; at_low: number }[];
}

/** The lists behind the statistics, by their names in URLs. */
export const reductionLists = [
  'all',
  'checked',
  'matched',
  'smaller',
  'none',
  'raised',
  'never-seen',
  'unchecked',
  'left-out',
] as const;
export type ReductionList = (typeof reductionLists)[number];

/** Returns a list's title and its number of entries. */
export function listOf(check: StoreCheck, list: ReductionList): { title: string; count: number } {
  const { announced, checked, matched, smaller, nothing, raised, never_seen, left_out } = check;
  const lists: Record<ReductionList, [title: string, count: number]> = {
    all: ['Announced in 90 days', announced],
    checked: ['Could be checked', checked],
    matched: ['Matched our log', matched],
    smaller: ['Smaller in our log', smaller],
    none: ['No saving in our log', nothing],
    raised: ['Raised before', raised],
    'never-seen': ['Crossed-out price never seen', never_seen],
    unchecked: ['Could not be checked', announced - checked],
    'left-out': ['Left out as feed errors', left_out],
  };
  const [title, count] = lists[list];
  return { title, count };
}

/** A number with its label. Its list contains the evidence. */
export interface CheckFigure {
  list: ReductionList;
  value: string;
  words: string;
}

/**
 * Returns the numbers that apply: shares and medians if there are enough cases, and counts
 * otherwise.
 */
export function figuresOf(check: StoreCheck): CheckFigure[] {
  const { announced, checked, matched, raised, never_seen, watched_long, left_out } = check;
  const share = describeShare(matched, checked);
  const figures: (CheckFigure | null)[] = [
    {
      list: 'all',
      value: inDigits(announced),
      words: `${plural(announced, 'reduction')} announced in 90 days`,
    },
    {
      list: 'checked',
      value: inDigits(checked),
      words: 'that we could check: logged for 30 days or more before',
    },
    checked === 0
      ? null
      : {
          list: 'matched',
          value: share ? share.share : `${inDigits(matched)} of ${inDigits(checked)}`,
          words: share
            ? `matched our log within 5 points (${share.range})`
            : 'matched our log within 5 points',
        },
    checked < fewest || check.median_announced === null || check.median_seen === null
      ? null
      : {
          list: 'checked',
          value: `${Math.round(check.median_announced)}%`,
          words: `median announced, ${Math.round(check.median_seen)}% median in our log`,
        },
    checked === 0
      ? null
      : {
          list: 'raised',
          value: inDigits(raised),
          words: `${raised === 1 ? 'was' : 'were'} raised by 5% or more in the 30 days before`,
        },
    watched_long === 0
      ? null
      : {
          list: 'never-seen',
          value: `${inDigits(never_seen)} of ${inDigits(watched_long)}`,
          words: 'crossed-out prices never seen in 180 days or more, checked on each of them',
        },
    left_out === 0
      ? null
      : {
          list: 'left-out',
          value: inDigits(left_out),
          words: left_out === 1 ? 'left out as a feed error' : 'left out as feed errors',
        },
  ];
  return figures.filter((figure) => figure !== null);
}

/** Summarizes a store's check in one line. */
export function summariseCheck({ matched, checked }: StoreCheck): string {
  const share = describeShare(matched, checked)?.share;
  const reductions = `${inDigits(checked)} checked ${plural(checked, 'reduction')} matched our log`;
  return share ? `${share} of ${reductions}` : `${inDigits(matched)} of ${reductions}`;
}

/** Describes the days without a check. */
export function describeGaps(check: StoreCheck): string {
  const { feed_days: days, read_days, gap_from, gap_days } = check;
  if (days === 0) {
    return 'We read no feed of this store, so prices between two entries are not in our log.';
  }
  if (gap_days === 0 || gap_from === null) {
    return `Its feed was read on each of the last ${countNoun(days, 'day')}.`;
  }
  // Noon falls on the same calendar day in every time zone.
  const from = shortDate(new Date(`${gap_from}T12:00Z`), 'UTC');
  return `Its feed was read on ${read_days} of the last ${countNoun(days, 'day')}; the longest gap was ${countNoun(gap_days, 'day')} from ${from}. What happened in a gap is not in our log.`;
}

/** A stored reduction, with prices in minor units. */
export interface CheckedReduction {
  began_at: Date;
  sale_price: number;
  struck_price: number;
  announced: number;
  common90: number | null;
  measured: number | null;
  seen: number | null;
  is_standing: boolean;
  logged_days: number;
  read_days: number | null;
  raised_at: Date | null;
  never_seen: boolean | null;
  verdict: Verdict;
  left_out: LeaveOutReason | null;
}

export const verdictWords: Record<Verdict, string> = {
  matches: 'Matches our log',
  smaller: 'Smaller in our log',
  none: 'No saving in our log',
  unknown: 'Could not be checked',
};

export const leftOutWords: Record<LeaveOutReason, string> = {
  currency: 'Wrong currency in the feed',
  pack: 'Wrong pack or size in the feed',
  price: 'Wrong price in the feed',
  other: 'Another mistake in the feed',
};

/**
 * Describes what was announced and what our log shows, each as a sentence. With `hidesPrices`, only
 * percentages are used.
 */
export function describeReduction(
  reduction: CheckedReduction,
  currency: string,
  hidesPrices: boolean,
): { announced: string; facts: string[] } {
  const money = (amount: number) => formatMoney(amount, currency, { wholeIfRound: true });
  const { sale_price, struck_price, is_standing, measured, common90, raised_at } = reduction;
  const percent = `${Math.round(reduction.announced)}%`;
  const prices = hidesPrices ? '' : `: ${money(sale_price)} instead of ${money(struck_price)}`;
  const facts = [describeSeen(reduction, (amount) => (hidesPrices ? null : money(amount)))];
  if (raised_at) facts.push(`${describeRaise(raised_at, reduction.began_at)}.`);
  if (
    !hidesPrices &&
    !is_standing &&
    common90 !== null &&
    measured !== null &&
    common90 !== measured
  ) {
    facts.push(`Charged longest in the 90 days before: ${money(common90)}.`);
  }
  if (reduction.never_seen) {
    facts.push(
      `Never sold at the crossed-out price in ${countNoun(reduction.logged_days, 'day')}.`,
    );
  }
  if (reduction.read_days !== null && reduction.read_days < 30) {
    facts.push(`Its feed was read on ${reduction.read_days} of the 30 days before.`);
  }
  return { announced: `${is_standing ? 'Still' : 'Announced'} ${percent}${prices}`, facts };
}

function describeSeen(
  { verdict, seen, measured, is_standing, logged_days }: CheckedReduction,
  money: (amount: number) => string | null,
): string {
  if (verdict === 'unknown' || seen === null || measured === null) {
    return logged_days < 30
      ? `Logged for ${countNoun(logged_days, 'day')} before: too short to check.`
      : 'Out of stock in the days before: nothing to compare with.';
  }
  const price = money(measured);
  const saving = seen < 1 ? 'no saving' : `${Math.round(seen)}%`;
  if (price === null) return `Our log shows ${saving}.`;
  return is_standing
    ? `Our log shows ${saving}: ${price} was charged longest in the 90 days before.`
    : `Our log shows ${saving}: ${price} was the lowest price of the 30 days before.`;
}

/** States that a price had risen by 5% or more shortly before its reduction. */
export function describeRaise(raisedAt: Date, beganAt: Date): string {
  const days = Math.round((beganAt.getTime() - raisedAt.getTime()) / day);
  return days < 1
    ? 'Raised by 5% or more less than a day before'
    : `Raised by 5% or more ${countNoun(days, 'day')} before`;
}

function inDigits(number: number): string {
  return number.toLocaleString('en-US');
}

function plural(number: number, one: string): string {
  return number === 1 ? one : `${one}s`;
}
