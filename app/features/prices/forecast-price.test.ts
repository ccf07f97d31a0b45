import { describe, expect, test } from 'vitest';
import * as fc from '#test/fast-check.ts';
import { betaQuantile } from './beta-quantile.ts';
import { describeForecast } from './describe-forecast.ts';
import {
  countPlaces,
  daysAhead,
  forecastPrice,
  noRates,
  type PlaceRates,
  readPriceDays,
} from './forecast-price.ts';

const day = 86_400_000;
type Step = [at: number, price: number];

/**
 * Generates steps at any hour, oldest first, over at most two years. A price of 0 means out of
 * stock.
 */
const logs = fc
  .uniqueArray(
    fc.tuple(
      fc.integer({ min: 0, max: 700 * 24 }),
      fc.constantFrom(0, 900, 940, 950, 1_000, 1_015),
    ),
    { minLength: 1, maxLength: 40, selector: ([hour]) => hour },
  )
  .map((steps) =>
    steps.map(([hour, price]): Step => [hour * 3_600_000, price]).toSorted(([a], [b]) => a - b),
  );
const moments = fc.integer({ min: 0, max: 60 * 24 }).map((hours) => hours * 3_600_000);
const rates: PlaceRates = { days: [1_000, 100, 200, 300, 400], fell: [20, 15, 60, 120, 60] };

/** Returns the lowest price of a day, step by step. */
function lowOf(steps: Step[], number: number, until: number): number {
  const offers = steps.filter(([at, price], n) => {
    const end = steps[n + 1]?.[0] ?? until + 1;
    return price > 0 && at < (number + 1) * day && (end > number * day || at >= number * day);
  });
  return offers.length === 0 ? 0 : Math.min(...offers.map(([, price]) => price));
}

describe('the daily lowest prices', () => {
  test('returns each day’s lowest price on offer, and whether it fell by 5% within 30 days', () => {
    fc.assert(
      fc.property(logs, moments, (steps, later) => {
        const until = (steps.at(-1)?.[0] ?? 0) + later;
        const { lows, fell } = readPriceDays(steps, until);
        const first = Math.floor((steps[0]?.[0] ?? 0) / day);
        expect(lows.length).toBe(Math.floor(until / day) - first + 1);
        const expected = Array.from(lows, (_, n) => lowOf(steps, first + n, until));
        expect([...lows]).toEqual(expected);
        const falls = expected.map((price, n) =>
          expected.slice(n + 1, n + 1 + daysAhead).some((low) => low > 0 && low <= 0.95 * price),
        );
        expect([...fell].map((one) => one === 1)).toEqual(falls);
      }),
    );
  });
});

describe('a forecast', () => {
  /** Creates a log of daily prices, oldest first. The last one is today's. */
  const ofDays = (prices: number[]) =>
    readPriceDays(
      prices.map((price, n): Step => [n * day, price]),
      (prices.length - 1) * day,
    );
  const today = (prices: number[], given = rates) =>
    forecastPrice(ofDays(prices), prices.length - 1, prices.at(-1) ?? 0, given);

  test('forecasts by the formula: the deal’s days near this price, divided by 15, and four cases of its rank', () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.constantFrom(0, 900, 950, 1_000, 1_010), { minLength: 180, maxLength: 260 })
          .filter((prices) => (prices.at(-1) ?? 0) > 0),
        (prices) => {
          const price = prices.at(-1) ?? 0;
          const found = today(prices);
          const before = prices.slice(0, -1).filter((one) => one > 0);
          const cheaper = before.filter((one) => one < price).length / before.length;
          const place = [0, 0.1, 0.25, 0.5].filter((end) => cheaper > 0 && cheaper >= end).length;
          const g = (rates.fell[place] ?? 0) / (rates.days[place] ?? 0);
          const { fell } = ofDays(prices);
          const near = prices.flatMap((one, n) =>
            n < prices.length - daysAhead && Math.abs(one - price) <= 0.02 * price
              ? [fell[n] ?? 0]
              : [],
          );
          const k = near.filter((one) => one === 1).length;
          expect(found?.share).toBeCloseTo((k / 15 + 4 * g) / (near.length / 15 + 4), 12);
          expect(found).toMatchObject({ loggedDays: prices.length, nearDays: near.length });
          expect(found?.low).toBeLessThanOrEqual(found?.high ?? 0);
        },
      ),
    );
  });

  test('forecasts independently of later prices', () => {
    fc.assert(
      fc.property(logs, logs, fc.integer({ min: 179, max: 700 }), (past, future, when) => {
        const known = past.filter(([at]) => at < (when + 1) * day);
        const others = future.map(([at, price]): Step => [at + (when + 1) * day, price]);
        fc.pre(known.length > 0);
        const first = Math.floor((known[0]?.[0] ?? 0) / day);
        const price = 950;
        const alone = readPriceDays(known, (when + 1) * day - 1);
        const more = readPriceDays([...known, ...others], (when + 800) * day);
        expect(forecastPrice(more, when - first, price, rates, 0)).toEqual(
          forecastPrice(alone, when - first, price, rates, 0),
        );
        const [a, b] = [noRates(), noRates()];
        countPlaces(alone, when - first + 1, a, 0);
        countPlaces(more, when - first + 1, b, 0);
        expect(a).toEqual(b);
      }),
    );
  });

  const wave = (days: number) =>
    Array.from({ length: days }, (_, n) => (n % 40 < 20 ? 1_000 : 800));

  test('returns no forecast for less than 180 days, fewer than three changes, without rates or out of stock', () => {
    expect(today(wave(180))).not.toBeNull();
    expect(today(wave(179))).toBeNull();
    const calm = [...Array<number>(100).fill(1_000), ...Array<number>(100).fill(800), 1_000];
    expect(today(calm)).toBeNull();
    expect(today([...calm, 900])).not.toBeNull();
    expect(today(wave(300), noRates())).toBeNull();
    expect(today([...wave(300), 0])).toBeNull();
  });

  test('forecasts correctly for a price that falls every month, and for one that rose permanently', () => {
    const falls = [...wave(700), ...Array<number>(10).fill(1_000)];
    expect(today(falls)?.share).toBeGreaterThan(0.85);
    const rose = [800, 900, 950, ...Array<number>(600).fill(1_000)];
    expect(today(rose)?.share).toBeLessThan(0.05);
  });

  test('counts how often prices of each rank in their year fell afterward', () => {
    const counted = noRates();
    countPlaces(ofDays(wave(400)), 400, counted);
    // At the low, the price never fell by 5%. At the high, with half of the days cheaper, it fell
    // within 20 days.
    expect(counted.fell[0]).toBe(0);
    expect(counted.days[0]).toBeGreaterThan(5);
    expect(counted.fell[4]).toBe(counted.days[4]);
    expect(counted.days.slice(1, 3)).toEqual([0, 0]);
  });
});

test('computes known quantiles of a beta distribution, increasing with the share', () => {
  // These quantiles have closed forms: Beta(1, b): 1 − (1 − q)^(1/b); Beta(a, 1): q^(1/a); Beta(2,
  // 2): 3x² − 2x³.
  for (const q of [0.1, 0.5, 0.9]) {
    for (const n of [0.2, 1, 3, 40]) {
      expect(betaQuantile(q, 1, n)).toBeCloseTo(1 - (1 - q) ** (1 / n), 5);
      expect(betaQuantile(q, n, 1)).toBeCloseTo(q ** (1 / n), 5);
    }
    const x = betaQuantile(q, 2, 2);
    expect(3 * x ** 2 - 2 * x ** 3).toBeCloseTo(q, 5);
  }
  const shape = fc.double({ min: 0.01, max: 60, noNaN: true });
  fc.assert(
    fc.property(shape, shape, (a, b) => {
      const [low, middle, high] = [0.1, 0.5, 0.9].map((q) => betaQuantile(q, a, b));
      expect(low).toBeLessThanOrEqual(middle ?? 0);
      expect(middle).toBeLessThanOrEqual(high ?? 0);
      expect(low).toBeCloseTo(1 - betaQuantile(0.9, b, a), 5);
    }),
  );
  expect([betaQuantile(0.5, 0, 3), betaQuantile(0.5, 3, 0)]).toEqual([0, 1]);
});

// Proves P7: how often a price fell is a frequency with its band, never advice (describe-forecast.ts)
describe('the text of a forecast', () => {
  const said = { share: 1 / 9, low: 0.05, high: 0.2, logged_days: 412, near_days: 120 };

  test('describes a forecast as a frequency with its range and basis', () => {
    expect(describeForecast(said)).toBe(
      'At about this price it became at least 5% cheaper within 30 days about 1 time in 9, between 1 in 20 and 1 in 5. Based on 412 logged days, 120 of them at about this price.',
    );
    expect(describeForecast({ ...said, share: 0.02, low: 0, high: 0.045 })).toMatch(
      /^A lower price soon is unlikely\. .* about 1 time in 50, at most 1 in 22\./,
    );
    expect(describeForecast({ ...said, share: 0.7, low: 0.42, high: 0.88 })).toContain(
      'about 2 times in 3, between 4 in 10 and 9 in 10.',
    );
    expect(describeForecast({ ...said, near_days: 0 })).toContain(
      'other deals equally high for their year',
    );
  });

  test('never advises to wait, and shows ranges that contain the frequency', () => {
    const shares = fc.tuple(
      ...Array.from({ length: 3 }, () => fc.double({ min: 0, max: 1, noNaN: true })),
    );
    fc.assert(
      fc.property(shares, (three) => {
        const [low = 0, share = 0, high = 0] = three.toSorted((a, b) => a - b);
        const words = describeForecast({ ...said, low, share, high });
        expect(words).not.toMatch(/wait|NaN|Infinity|undefined|in 0/i);
      }),
    );
  });
});
