import { expect, test } from 'vitest';
import { lowestOfAll } from '#app/features/products/lay-out-offer-chart.ts';
import { showPrices } from './show-prices.ts';

const from = new Date('2026-01-01');
const to = new Date('2026-03-01');
const step = (day: string, price: number, isOffer = true) => ({
  at: new Date(day),
  price,
  isOffer,
});

function show(given: [id: number, steps: ReturnType<typeof step>[]][]) {
  const lines = given.map(([id, steps]) => {
    const merchant = { id, name: `Store ${id}` };
    return { store: merchant.name, deal: { merchant }, steps };
  });
  const lowest = lowestOfAll(lines, from);
  return showPrices({ condition: 'new', from, untracked: [], lines, lowest }, to, 'USD');
}

test('draws one line for a store with several offers', () => {
  const { drawings, hasLowest, rows } = show([
    [1, [step('2026-01-02', 9_000)]],
    [1, [step('2026-01-03', 8_000)]],
  ]);
  expect(drawings[0]?.lines).toHaveLength(1);
  expect(hasLowest).toBe(false);
  expect(rows.map(({ price }) => price)).toEqual([8_000, 9_000]);
});

test('draws five stores and the lowest price of all, and names the other stores', () => {
  const { drawings, undrawn } = show(
    [1, 2, 3, 4, 5, 6].map((id) => [id, [step('2026-01-02', 9_000 - id)]]),
  );
  expect(drawings[0]?.lines.map(({ store }) => store)).toEqual([
    ...[1, 2, 3, 4, 5].map((id) => `Store ${id}`),
    'Lowest of all',
  ]);
  expect(undrawn).toEqual(['Store 6']);
});

test('lists the lowest price of all stores beside each price, and none while no store has stock', () => {
  const { rows } = show([
    [1, [step('2025-11-01', 9_000), step('2026-01-10', 9_000, false)]],
    [2, [step('2026-01-05', 8_000), step('2026-01-20', 8_000, false)]],
  ]);
  expect(rows.map(({ store, lowest }) => [store, lowest])).toEqual([
    ['Store 2', null],
    ['Store 1', 8_000],
    ['Store 2', 8_000],
    ['Store 1', 9_000],
  ]);
});

test('leaves out the oldest rows of a long table, and counts them', () => {
  const hour = 3_600_000;
  const steps = Array.from({ length: 250 }, (_, n) => ({
    at: new Date(from.getTime() + n * hour),
    price: 9_000 + n,
    isOffer: true,
  }));
  const { rows, olderRows } = show([[1, steps]]);
  expect([rows.length, olderRows, rows[0]?.price]).toEqual([200, 50, 9_249]);
});
