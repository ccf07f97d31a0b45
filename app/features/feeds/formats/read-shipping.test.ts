import { expect, test } from 'vitest';
import { readShipping } from './read-shipping.ts';

const rules = { currency: 'USD', now: new Date(0) };

test.each([
  ['4.95', 495],
  ['4.95 USD', 495],
  ['$4.95', 495],
  ['0.00 USD', 0],
  ['0', 0],
  ['US:::4.95 USD', 495],
  ['US:CA:Standard:4.95 USD,US:NY:Standard:4.95 USD', 495],
])('reads %s', (shipping_cost, cost) => {
  const notes: string[] = [];
  expect(readShipping({ shipping_cost }, rules, notes)).toBe(cost);
  expect(notes).toEqual([]);
});

test.each(['', 'N/A', 'US:::4.95 USD,CA:::9.95 USD'])(
  'treats the shipping cost %j as unknown',
  (shipping_cost) => {
    const notes: string[] = [];
    expect(readShipping({ shipping_cost }, rules, notes)).toBeNull();
    expect(notes).toEqual([]);
  },
);

test.each(['next day', '4.95 EUR'])('notes that %s is not an amount', (shipping_cost) => {
  const notes: string[] = [];
  expect(readShipping({ shipping_cost }, rules, notes)).toBeNull();
  expect(notes).toEqual([`imported without its shipping cost: not an amount: ${shipping_cost}`]);
});

test('does not read an amount if another column gives a different currency', () => {
  expect(readShipping({ shipping_cost: '4.95', currency: 'EUR' }, rules, [])).toBeNull();
});
