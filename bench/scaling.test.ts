import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { costs } from './scaling-costs.ts';
import { habits } from './scaling-habits.ts';
import { figure, mostViews, scalingDocument, withScalingTables } from './scaling-tables.ts';
import { busyCores, peakViews, planOf, ratesOf } from './scaling.ts';
import { simulateQueue } from './simulate-queue.ts';

const site = { views: 1e8, deals: 1e7, prices: 2e9 };

it('docs/scaling.md says what is computed', () => {
  const text = readFileSync(scalingDocument, 'utf8');
  expect(withScalingTables(text)).toBe(text);
  expect(withScalingTables('no markers')).toBeNull();
});

describe('a plan', () => {
  it('counts a month from its busiest hour', () => {
    // 100 million in 30 days are 38.6 a second.
    expect(peakViews(1e8)).toBeCloseTo(38.58 * habits.busyDay * habits.busyHour, 1);
    const { kept, list, deal, search } = ratesOf(1e8);
    expect(kept + list + deal + search).toBeCloseTo(peakViews(1e8), 6);
  });

  it('adds up what each thing costs', () => {
    const nothing = { kept: 0, list: 0, deal: 0, suggestions: 0, api: 0, picture: 0, click: 0 };
    const { site: ours, database } = busyCores({ ...nothing, search: 100 });
    expect(ours).toBeCloseTo(costs.search.site / 10, 9);
    expect(database).toBeCloseTo(costs.search.database / 10, 9);
  });

  it('leaves every process free for as long as is planned, and grows with the site', () => {
    const [small, big] = [planOf({ ...site, views: 1e6 }), planOf(site)];
    expect(big.busy.site).toBeLessThanOrEqual(big.web * habits.mostBusy);
    expect(big.busy.site).toBeCloseTo(small.busy.site * 100, 6);
    expect(mostViews(big.busy.site, Infinity, false)).toBeCloseTo(1e8, 0);
    expect(planOf(site, true).busy.site).toBeLessThan(big.busy.site);
  });

  it('is written with figures that count', () => {
    expect([0, 0.0123, 3.14159, 145.2, 1_234, 123_456, 1_250_000, 2e9].map(figure)).toEqual([
      '0',
      '0.012',
      '3.1',
      '145',
      '1,200',
      '120,000',
      '1.3 million',
      '2 bn',
    ]);
  });
});

describe('the simulated queue', () => {
  const steady = { times: 1, seconds: 0 };

  it('waits as theory says of one processor', () => {
    // M/M/1: of those who wait longer than t there are ρ·exp(-(μ-λ)t).
    const [arrivals, served] = [80, 100];
    const queue = { servers: 1, seconds: 5_000, burst: steady };
    const { p99, busy } = simulateQueue([{ rate: arrivals, ms: 1_000 / served }], queue);
    const expected = (Math.log((arrivals / served) * 100) / (served - arrivals)) * 1_000;
    expect(busy).toBeCloseTo(0.8, 1);
    expect(p99 / expected).toBeCloseTo(1, 1);
  });

  it('answers the same again, and waits longer in a burst', () => {
    const classes = [{ rate: 100, ms: 10 }];
    const queue = { servers: 2, seconds: 300, burst: steady };
    expect(simulateQueue(classes, queue)).toEqual(simulateQueue(classes, queue));
    const burst = { times: 3, seconds: 10 };
    expect(simulateQueue(classes, { ...queue, burst }).p99).toBeGreaterThan(
      simulateQueue(classes, queue).p99,
    );
  });

  it.each([1, 1.5])(
    'keeps 99 of 100 below 50 ms at the planned size, %s times as many',
    (times) => {
      for (const views of [1e6, 1e7, 1e8]) {
        const { rates, web } = planOf({ ...site, views });
        const classes = (Object.keys(rates) as (keyof typeof rates)[]).map((name) => ({
          rate: rates[name],
          ms: costs[name].site,
        }));
        const queue = { servers: web, seconds: 300, burst: { times, seconds: 120 } };
        expect(simulateQueue(classes, queue).p99).toBeLessThan(50);
      }
    },
  );
});
