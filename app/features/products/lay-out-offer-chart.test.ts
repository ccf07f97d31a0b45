import { expect, test } from 'vitest';
import { layOutOfferCharts } from './lay-out-offer-chart.ts';

const from = new Date('2026-01-01');
const to = new Date('2026-03-01');
const step = (day: string, price: number, isOffer = true) => ({
  at: new Date(day),
  price,
  isOffer,
});

test('draws every store over one scale, and breaks a line while out of stock', () => {
  const [wide] = layOutOfferCharts(
    [
      {
        store: 'A',
        steps: [
          step('2026-01-01', 10_000),
          step('2026-01-20', 10_000, false),
          step('2026-02-10', 8_000),
        ],
      },
      { store: 'B', steps: [step('2025-12-01', 9_000)] },
    ],
    { from, to },
    'USD',
  );
  const [a = '', b = ''] = wide?.lines.map(({ path }) => path) ?? [];
  expect(a.match(/M/g)).toHaveLength(2);
  // The price in force at the beginning is drawn from the left edge to the end.
  expect(b).toMatch(new RegExp(`^M${wide?.size.left} [\\d.]+H${wide?.end}$`));
});

test('moves the names of equal prices apart, within the chart', () => {
  const lines = ['A', 'B', 'C', 'D', 'E'].map((store) => ({
    store,
    steps: [step('2026-01-01', 5_000)],
  }));
  for (const { size, lines: drawn } of layOutOfferCharts(lines, { from, to }, 'USD')) {
    const places = drawn.map(({ labelY }) => labelY).toSorted((x, y) => x - y);
    expect(places.every((y, n) => n === 0 || y - (places[n - 1] ?? 0) >= 15.9)).toBe(true);
    expect(places.at(-1)).toBeLessThanOrEqual(size.height - size.bottom);
  }
});

test('draws nothing without prices', () => {
  expect(layOutOfferCharts([{ store: 'A', steps: [] }], { from, to }, 'USD')).toEqual([]);
});
