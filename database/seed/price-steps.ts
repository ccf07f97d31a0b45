import type { SeededRandom } from './seeded-random.ts';

export interface PriceStep {
  /** Days ago, with a fraction for the time of day. */
  daysAgo: number;
  salePriceInCents: number;
  /** The original price that the store claimed at that time, if it differs from the current one. */
  originalPriceInCents?: number;
}

interface PriceSituation {
  /** The relation of the current price to the log. */
  story: 'lowest-now' | 'above-its-low' | 'no-history-yet';
  salePriceInCents: number;
  /** The highest price in the log. The merchant's own claim may be higher still. */
  highestSeenInCents: number;
  /**
   * Whether the store charges its struck price most of the time, so that the log confirms its
   * discounts.
   */
  isStoreCandid: boolean;
  /** Days since the deal expired, in which there are no steps. 0 for a live deal. */
  endedDaysAgo: number;
}

/**
 * Returns three to twelve steps over the last 90 days, oldest first, ending at the current price. A
 * deal without a history has only that step. The highest price directly precedes the current one,
 * within the 30 days before it, so that the log shows a discount.
 */
export function priceSteps(random: SeededRandom, situation: PriceSituation): PriceStep[] {
  const { story, salePriceInCents, highestSeenInCents, isStoreCandid } = situation;
  const presentSince = situation.endedDaysAgo + random.between(1, 12) + random.next();
  if (story === 'no-history-yet') return [{ daysAgo: presentSince, salePriceInCents }];

  const count = random.between(3, 12);
  const low = story === 'above-its-low' ? lowOf(random, salePriceInCents) : salePriceInCents;
  const drawn = earlierPrices(random, count - 2, low, highestSeenInCents, story);
  const isBorneOut = isStoreCandid && story === 'lowest-now';
  const earlier = isBorneOut ? nearTheHigh(drawn.length, highestSeenInCents) : drawn;
  const days = daysBefore(random, earlier.length + 1, presentSince);
  return [...earlier, highestSeenInCents, salePriceInCents].map((price, index) => ({
    daysAgo: days[index] ?? presentSince,
    salePriceInCents: price,
  }));
}

function lowOf(random: SeededRandom, salePriceInCents: number): number {
  return Math.max(1, tidyPrice(salePriceInCents * (0.84 + random.next() * 0.11), salePriceInCents));
}

/** Returns prices between the low and the high, never the same twice in a row. */
function earlierPrices(
  random: SeededRandom,
  count: number,
  low: number,
  high: number,
  story: PriceSituation['story'],
): number[] {
  const floor = story === 'lowest-now' ? low + 1 : low;
  const prices: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const share = 0.15 + random.next() * 0.8;
    const price = clamp(tidyPrice(low + (high - low) * share, high), floor, high);
    const isRepeated = price === prices[index - 1] || (index === count - 1 && price === high);
    prices.push(isRepeated ? clamp(price - random.between(50, 150), floor, high - 1) : price);
  }
  if (story === 'above-its-low') prices[random.between(0, count - 1)] = low;
  return prices.filter((price, index) => price !== prices[index - 1] && price > 0);
}

/**
 * Alternates between the high and slightly less. Ends with less, because the high itself comes
 * next.
 */
function nearTheHigh(count: number, high: number): number[] {
  const less = Math.min(tidyPrice(high * 0.98, high), high - 50);
  return Array.from({ length: count }, (_, index) => ((count - index) % 2 === 1 ? less : high));
}

/**
 * Returns `count` times from 90 days ago until shortly before the current price, followed by that
 * price's time.
 */
function daysBefore(random: SeededRandom, count: number, presentSince: number): number[] {
  const first = 86 + random.next() * 4;
  const lastBefore = presentSince + 3 + random.next() * 12;
  const span = first - lastBefore;
  const days = Array.from({ length: count }, (_, index) => {
    if (index === 0) return first;
    if (index === count - 1) return lastBefore;
    return first - (span * (index + (random.next() - 0.5) * 0.7)) / (count - 1);
  });
  return [...days, presentSince];
}

/** Rounds a price as stores do, to .99, .49 or a round amount, depending on the price. */
export function tidyPrice(cents: number, like: number): number {
  const dollars = Math.max(1, Math.round(cents / 100));
  return like % 100 === 99 ? dollars * 100 - 1 : dollars * 100;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high));
}

/**
 * Prepends similar steps, so that the history covers 400 days. The pattern repeats, so that
 * forecasts are about as accurate as they claim. The store announced a discount each time; for
 * every other deal it was smaller than the current one.
 */
export function withYearBefore(random: SeededRandom, steps: readonly PriceStep[]): PriceStep[] {
  const high = Math.max(...steps.map((step) => step.salePriceInCents));
  const present = steps.at(-1)?.salePriceInCents ?? 0;
  const reduced = random.chance(0.5) ? present : tidyPrice(present * 1.03, present);
  const sale = { salePriceInCents: Math.min(reduced, high), originalPriceInCents: high };
  const all = [...steps];
  const first = 400 + random.next() * 5;
  for (let end = oldestOf(all); end < first; end = oldestOf(all)) {
    const pace = 0.8 + random.next() * 0.4;
    const round = steps.map((step, index) => ({
      ...(index === steps.length - 1 ? sale : step),
      daysAgo: end + step.daysAgo * pace,
    }));
    all.unshift(...round);
  }
  const since = all.findIndex(({ daysAgo }) => daysAgo < first);
  return all
    .slice(since)
    .map((step, index) => (index === 0 ? { ...step, daysAgo: first } : step))
    .filter((step, index, kept) => step.salePriceInCents !== kept[index - 1]?.salePriceInCents);
}

function oldestOf(steps: readonly PriceStep[]): number {
  return steps[0]?.daysAgo ?? Infinity;
}
