import * as fc from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { alsoAt, compareOffers, storesFrom } from './compare-offers.ts';

type Deal = Parameters<typeof compareOffers>[0][number];

const now = new Date('2026-03-01T12:00:00Z');
const hour = 3_600_000;

function deal(id: number, changes: Partial<Deal> = {}, merchant: Partial<Deal['merchant']> = {}) {
  return {
    id,
    sale_price: 8_000,
    shipping_cost: null,
    status: 'new',
    condition: null,
    availability: 'in_stock',
    price_checked_at: now,
    ...changes,
    merchant: {
      id,
      free_shipping_over: null,
      standard_shipping: 500,
      hide_price_after_hours: null,
      ...merchant,
    },
  } satisfies Deal;
}

const ids = (offers: readonly { deal: { id: number } }[]) => offers.map((offer) => offer.deal.id);

describe('comparing offers', () => {
  test('sorts by price with shipping', () => {
    const { ranked } = compareOffers(
      [
        deal(1),
        deal(2, { sale_price: 8_200 }, { free_shipping_over: 5_000 }),
        deal(3, { sale_price: 7_000, shipping_cost: 2_000 }),
      ],
      now,
    );
    expect(ranked.map(({ deal: { id }, price, shipping }) => [id, price + shipping])).toEqual([
      [2, 8_200],
      [1, 8_500],
      [3, 9_000],
    ]);
  });

  test('lists offers with unknown shipping, out of stock or with hidden prices separately', () => {
    const old = { price_checked_at: new Date(now.getTime() - 25 * hour) };
    const found = compareOffers(
      [
        deal(1),
        deal(2, { sale_price: 100 }, { standard_shipping: null }),
        deal(3, { sale_price: 100, availability: 'out_of_stock' }),
        deal(4, { sale_price: 100, ...old }, { hide_price_after_hours: 24 }),
      ],
      now,
    );
    expect([found.ranked, found.unstated, found.others].map(ids)).toEqual([[1], [2], [3, 4]]);
    expect(found.others[1]?.price).toBeNull();
    expect(storesFrom(found, found.condition)).toEqual({
      stores: 2,
      compared: 1,
      from: 8_500,
      isTotal: true,
    });
  });

  test('sorts equal totals by the latest check', () => {
    const older = { price_checked_at: new Date(now.getTime() - hour) };
    expect(ids(compareOffers([deal(1, older), deal(2)], now).ranked)).toEqual([2, 1]);
  });

  test('ignores other conditions in the headline', () => {
    const found = compareOffers(
      [deal(1), deal(2, { sale_price: 100, status: 'used', condition: 'refurbished' })],
      now,
    );
    expect(ids(found.ranked)).toEqual([1, 2]);
    expect(found.condition).toBe('new');
    expect(storesFrom(found, found.condition)?.from).toBe(8_500);
    const used = deal(3, { status: 'used', condition: 'good' });
    expect(compareOffers([used], now).condition).toBe('used');
    expect(alsoAt(used, [used, deal(1)], now)).toBeNull();
  });

  test('begins with the lowest known total of the best class, for any offers', () => {
    const amount = fc.integer({ min: 1, max: 50 });
    const some = fc.array(
      fc.record({
        sale_price: amount,
        shipping_cost: fc.option(amount),
        availability: fc.constantFrom('in_stock', 'out_of_stock', 'unknown'),
        condition: fc.constantFrom(null, 'refurbished', 'good'),
        standard_shipping: fc.option(amount),
        merchant: fc.integer({ min: 1, max: 4 }),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(some, (given) => {
        const deals = given.map(({ merchant, standard_shipping, condition, ...rest }, id) =>
          deal(
            id,
            { ...rest, condition, status: condition === null ? 'new' : 'used' },
            { id: merchant, standard_shipping },
          ),
        );
        const found = compareOffers(deals, now);
        const { ranked, unstated, others, condition } = found;
        expect(ids([...ranked, ...unstated, ...others]).toSorted((a, b) => a - b)).toEqual(
          deals.map(({ id }) => id),
        );
        const totals = ranked
          .filter((offer) => offer.condition === condition)
          .map(({ price, shipping }) => price + shipping);
        const prices = unstated
          .filter((offer) => offer.condition === condition)
          .map(({ price }) => price);
        const best = storesFrom(found, condition);
        expect(best?.isTotal ?? false).toBe(totals.length > 0);
        expect(best?.from ?? 0).toBe(
          Math.min(
            ...(totals.length > 0 ? totals : [...prices, ...(prices.length > 0 ? [] : [0])]),
          ),
        );
        expect(others.every(({ deal: { availability } }) => availability === 'out_of_stock')).toBe(
          true,
        );
      }),
    );
  });
});
