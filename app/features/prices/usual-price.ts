import { formatMoney } from '#app/platform/money.ts';

const day = 86_400_000;

/** days; with fewer, there is no usual price */
export const leastUsualDays = 14;

/**
 * A period in which the deal was available at one price, in minor units and milliseconds since
 * 1970.
 */
export interface OfferedStep {
  price: number;
  from: number;
  until: number;
}

/**
 * The usual price of the last 90 days, in minor units, and the number of days with a higher or
 * lower price than now.
 */
export interface UsualPrice {
  /** The median, with each price weighted by the time it was available. */
  price: number;
  /**
   * The number of full days on offer, and of days at a price higher than, equal to, or lower than
   * today's.
   */
  days: number;
  higher: number;
  same: number;
  lower: number;
  /** Whether the deal never had another price, not even for an hour. */
  isSteady: boolean;
}

/** Prices of 90 days, oldest first, negative while out of stock, and their times. */
interface LoggedPrices {
  prices: readonly number[];
  /** ms since 1970 */
  times: readonly number[];
}

/** Returns the steps of the 90 days before `now`, negative while out of stock. */
export function stepsOf({ prices, times }: LoggedPrices, now: number): OfferedStep[] {
  const opens = now - 90 * day;
  return prices.map((price, n) => {
    const from = Math.max(times[n] ?? now, opens);
    return { price, from, until: Math.max(from, times[n + 1] ?? now) };
  });
}

/** Compares any price with the usual one, whose median all pages show. */
export function findUsualBeside(
  price: number,
  { usualPrice, ...log }: LoggedPrices & { usualPrice: number | null },
  now: number,
): UsualPrice | null {
  const usual = findUsualPrice(
    stepsOf(log, now).filter((step) => step.price > 0),
    price,
  );
  return usual && usualPrice !== null ? { ...usual, price: usualPrice } : null;
}

/** Returns the usual price, or `null` if the deal was on offer too briefly. */
export function findUsualPrice(steps: readonly OfferedStep[], present: number): UsualPrice | null {
  const sorted = steps.toSorted((a, b) => a.price - b.price);
  const total = timeOf(sorted);
  const days = Math.floor(total / day);
  if (days < leastUsualDays) return null;
  let passed = 0;
  const middle = sorted.find(({ from, until }) => (passed += until - from) * 2 >= total);
  const daysOf = (isMeant: (price: number) => boolean) =>
    Math.floor(timeOf(sorted.filter(({ price }) => isMeant(price))) / day);
  return {
    price: middle?.price ?? present,
    days,
    higher: daysOf((price) => price > present),
    same: daysOf((price) => price === present),
    lower: daysOf((price) => price < present),
    isSteady: sorted.every(({ price }) => price === present),
  };
}

export function timeOf(steps: readonly OfferedStep[]): number {
  return steps.reduce((sum, { from, until }) => sum + until - from, 0);
}

export interface UsualWords {
  /** A short form such as `usually $849`. */
  short: string;
  /** A comparison such as `Lower than on 83 of 87 days`. */
  standing: string;
  /** Both texts combined in a sentence, for a page, an email or the API. */
  sentence: string;
}

/**
 * Describes how good a price is in numbers. All pages, emails, feeds and API responses use this
 * text.
 */
export function describeUsual(usual: UsualPrice, present: number, currency: string): UsualWords {
  const { price, days } = usual;
  const compared =
    present < price
      ? `lower than on ${usual.higher} of`
      : present > price
        ? `higher than on ${usual.lower} of`
        : `the same as on ${usual.isSteady ? 'all' : `${usual.same} of`}`;
  const period = `the ${days} days that we saw it on offer`;
  return {
    short: `usually ${formatMoney(price, currency, { wholeIfRound: true })}`,
    standing: `${compared.charAt(0).toUpperCase()}${compared.slice(1)} ${days} days`,
    sentence: `It usually costs ${formatMoney(price, currency)}; this price is ${compared} ${period}${days < 90 ? '' : ' in the last 90'}.`,
  };
}
