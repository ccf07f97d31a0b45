import { expect, test } from 'vitest';
import { layOutOfferCharts, lowestOfAll } from './lay-out-offer-chart.ts';

const from = new Date('2026-01-01');
const to = new Date('2026-03-01');
const step = (day: string, price: number, isOffer = true) => ({
  at: new Date(day),
  price,
  isOffer,
});

test('draws all stores on one scale, and breaks a line while out of stock', () => {
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

test('draws no chart without prices', () => {
  expect(layOutOfferCharts([{ store: 'A', steps: [] }], { from, to }, 'USD')).toEqual([]);
});

test('finds the lowest price in stock at each time, or none while all stores are out of stock', () => {
  const lines = [
    { store: 'A', steps: [step('2025-11-01', 9_000), step('2026-01-10', 9_000, false)] },
    {
      store: 'B',
      steps: [
        step('2026-01-05', 8_000),
        step('2026-01-08', 12_000),
        step('2026-01-20', 7_000, false),
        step('2026-02-01', 7_000),
      ],
    },
  ];
  expect(lowestOfAll(lines, from)).toEqual([
    step('2026-01-01', 9_000),
    step('2026-01-05', 8_000),
    step('2026-01-08', 9_000),
    step('2026-01-10', 12_000),
    step('2026-01-20', 12_000, false),
    step('2026-02-01', 7_000),
  ]);
});

test('combines prices with the same time', () => {
  const lines = ['A', 'B'].map((store, n) => ({
    store,
    steps: [step('2026-01-05', 8_000 + n), step('2026-01-09', 8_001 - n)],
  }));
  expect(lowestOfAll(lines, from)).toEqual([step('2026-01-05', 8_000)]);
});

test('draws the line of the lowest prices with its name', () => {
  const lowest = { store: 'Lowest of all', steps: [step('2026-01-01', 4_000)], isLowest: true };
  const [wide] = layOutOfferCharts(
    [{ store: 'A', steps: [step('2026-01-01', 5_000)] }, lowest],
    { from, to },
    'USD',
  );
  expect(wide?.lines).toMatchObject([
    { store: 'A', isLowest: false },
    { store: 'Lowest of all', isLowest: true },
  ]);
});
