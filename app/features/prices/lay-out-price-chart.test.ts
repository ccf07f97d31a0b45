import { describe, expect, test } from 'vitest';
import {
  clipSteps,
  dateTicks,
  findExtremes,
  layOutPriceChart,
  type PriceStep,
  roundTicks,
} from './lay-out-price-chart.ts';

const now = new Date('2026-11-21T12:00:00Z');
const size = { width: 720, height: 300, left: 56, bottom: 28, mostDates: 7 };
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const step = (days: number, price: number, isOffer = true): PriceStep => ({
  at: daysAgo(days),
  price,
  isOffer,
});

describe('the time window of a chart', () => {
  test('starts the chart’s window with the price in force at its beginning', () => {
    const steps = clipSteps([step(200, 9999), step(100, 8999), step(10, 7999)], daysAgo(30));
    expect(steps).toEqual([{ ...step(100, 8999), at: daysAgo(30) }, step(10, 7999)]);
  });

  test('returns an empty window without logged prices', () => {
    expect(clipSteps([], daysAgo(30))).toEqual([]);
    expect(layOutPriceChart([], daysAgo(30), now, size, 'USD')).toBeNull();
  });
});

describe('lowest and highest', () => {
  test('ignores a price while out of stock for lowest and highest', () => {
    const extremes = findExtremes([step(50, 8000), step(40, 1000, false), step(30, 9000)]);
    expect(extremes?.low.price).toBe(8000);
    expect(extremes?.high.price).toBe(9000);
  });

  test('uses the newest of equal lowest or highest prices', () => {
    const extremes = findExtremes([step(50, 8000), step(40, 9000), step(30, 8000)]);
    expect(extremes?.low.at).toEqual(daysAgo(30));
  });

  test('finds the lowest and highest price even for a deal that was never in stock', () => {
    expect(findExtremes([step(50, 8000, false)])?.low.price).toBe(8000);
  });
});

describe('the chart', () => {
  const steps = [step(80, 14999), step(40, 9999), step(20, 9999, false), step(1, 7999)];
  const chart = layOutPriceChart(steps, daysAgo(90), now, size, 'USD');

  test('draws the chart from the first price to the current one in steps', () => {
    expect(chart?.line).toMatch(/^M56 [\d.]+(H[\d.]+V[\d.]+){3}H708$/);
    expect(chart?.present.x).toBe(708);
    expect(chart?.present.y).toBe(chart?.low.y);
  });

  test('dashes the chart while out of stock', () => {
    expect(chart?.gaps).toMatch(/^M[\d.]+ [\d.]+H[\d.]+$/);
  });

  test('keeps all parts of the chart inside its box', () => {
    const numbers = (chart?.line.match(/[\d.]+/g) ?? []).map(Number);
    expect(Math.max(...numbers)).toBeLessThanOrEqual(720);
    expect(chart?.high.y).toBeGreaterThanOrEqual(22);
    expect(chart?.low.y).toBeLessThanOrEqual(300 - 28);
  });

  test('draws a constant price as a straight line in the middle', () => {
    const flat = layOutPriceChart([step(60, 2300)], daysAgo(90), now, size, 'USD');
    expect(flat?.line).toMatch(/^M56 [\d.]+H708$/);
    expect(flat?.present.y).toBeGreaterThan(22);
    expect(flat?.present.y).toBeLessThan(272);
  });
});

describe('round amounts', () => {
  test.each([
    [7999, 14999],
    [1, 5],
    [100, 100],
    [199, 201],
    [50, 2_000_000_000],
  ])('chooses two to eight evenly spaced round amounts that span %i to %i cents', (low, high) => {
    const ticks = roundTicks(low, high);
    expect(ticks.length).toBeGreaterThanOrEqual(2);
    expect(ticks.length).toBeLessThanOrEqual(8);
    expect(ticks[0]).toBeLessThanOrEqual(low);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(high);
    const gaps = new Set(ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? 0)));
    expect(gaps.size).toBe(1);
  });

  test('shows cents in round amounts only if the steps need them', () => {
    const labels = (low: number, high: number) =>
      layOutPriceChart([step(50, low), step(10, high)], daysAgo(90), now, size, 'USD')?.yTicks.map(
        (tick) => tick.label,
      );
    expect(labels(7999, 14999)).toContain('$100');
    expect(labels(199, 299)).toContain('$2.50');
  });
});

describe('dates below the chart', () => {
  test('labels a chart of one season with the first days of months', () => {
    const ticks = dateTicks(daysAgo(90).getTime(), now.getTime(), 7);
    expect(ticks.map((tick) => tick.label)).toEqual(['Sep 1', 'Oct 1', 'Nov 1']);
  });

  test('uses weekly ticks on a one-month chart', () => {
    const ticks = dateTicks(daysAgo(30).getTime(), now.getTime(), 7);
    expect(ticks.at(-1)?.label).toBe('Nov 21');
    expect(ticks.at(-2)?.label).toBe('Nov 14');
  });

  test('includes the year for a long period, and thins the dates to fit', () => {
    const ticks = dateTicks(daysAgo(1200).getTime(), now.getTime(), 4);
    expect(ticks.length).toBeLessThanOrEqual(4);
    expect(ticks.at(-1)?.label).toBe('Nov 2026');
  });
});
