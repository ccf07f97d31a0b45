import { formatMoney } from '#app/platform/money.ts';

const day = 86_400_000;

/** Of fewer days than these no price is called usual. */
export const leastUsualDays = 14;

/** A price while it could be had, from one moment to another. Minor units, and milliseconds since 1970. */
export interface OfferedStep {
  price: number;
  from: number;
  until: number;
}

/** What a deal mostly cost in the last 90 days, and on how many of them it cost more or less than now. Minor units. */
export interface UsualPrice {
  /** The median, each price weighted by the time it could be had. */
  price: number;
  /** Whole days on offer, and those of them at a higher, the same and a lower price than the present one. */
  days: number;
  higher: number;
  same: number;
  lower: number;
  /** It never was another, not for an hour. */
  isSteady: boolean;
}

/** Null where the deal was on offer for too short a time to say. */
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
  /** `usually $849` */
  short: string;
  /** `Lower than on 83 of 87 days` */
  standing: string;
  /** Both, for a page, a mail or a program. */
  sentence: string;
}

/** Whether a price is a good one, in figures: every page, mail, feed and program is told in these words. */
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
