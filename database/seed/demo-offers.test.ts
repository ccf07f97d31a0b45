import { expect, test } from 'vitest';
import { storedGtin } from '#app/features/deals/gtin.ts';
import { demoCatalog, type DemoDeal } from './demo-catalog.ts';
import { demoDeals, demoVariants } from './demo-offers.ts';

const deals = demoDeals();
const products = Map.groupBy(
  deals.filter(({ gtin }) => gtin !== null),
  ({ gtin }) => gtin,
);
const offers = [...products.values()].flat();
const count = (matches: (deal: DemoDeal) => boolean) => offers.filter(matches).length;

test('adds 90 offers to the catalog, identical on every call', () => {
  expect(deals).toHaveLength(330);
  expect(demoDeals()).toEqual(deals);
  const slugs = demoCatalog().map(({ slug }) => slug);
  expect(deals.slice(0, 240).map(({ slug }) => slug)).toEqual(slugs);
});

test('sells 40 products at two to five stores each, with valid GTINs', () => {
  const stores = [...products.values()].map(
    (some) => new Set(some.map(({ merchant }) => merchant.name)).size,
  );
  expect(stores).toHaveLength(40);
  expect(stores.reduce((sum, one) => sum + one, 0)).toBe(offers.length);
  expect(Map.groupBy(stores, (one) => one).size).toBe(4);
  expect(Math.min(...stores)).toBe(2);
  expect(Math.max(...stores)).toBe(5);
  for (const gtin of products.keys()) expect(storedGtin(gtin ?? '')).toBe(gtin);
});

test('includes refurbished offers, one out of stock, shipping costs, and a variant', () => {
  const offersOnly = offers.filter((deal) => !demoCatalog().some(({ slug }) => slug === deal.slug));
  const refurbished = offersOnly.filter(({ condition }) => condition === 'refurbished');
  expect(refurbished.map(({ title }) => title)).toEqual([
    'Business laptop, 14-inch, refurbished',
    'Aurel 6 smartphone, 256 GB, refurbished',
  ]);
  expect(offersOnly.filter(({ availability }) => availability === 'out_of_stock')).toHaveLength(1);
  expect(count(({ shippingInCents }) => shippingInCents !== null)).toBeGreaterThan(10);
  expect(demoVariants()).toEqual([
    {
      slug: 'aurel-6-smartphone-256-gb-unlocked',
      of: 'aurel-6-smartphone-128-gb-unlocked',
      label: '256 GB',
    },
  ]);
});

test('repeats no title, slug or description, and links each offer to its store', () => {
  for (const key of ['title', 'slug', 'description', 'dealUrl'] as const) {
    expect(new Set(deals.map((deal) => deal[key])).size, key).toBe(330);
  }
  for (const { dealUrl, merchant } of deals) expect(new URL(dealUrl).hostname).toBe(merchant.host);
});

test('gives each offer its own 90-day history that ends at its price', () => {
  for (const { steps, salePriceInCents } of deals.slice(240)) {
    expect(steps.length).toBeGreaterThanOrEqual(3);
    expect(steps.at(-1)?.salePriceInCents).toBe(salePriceInCents);
    expect(Math.floor((steps[0]?.daysAgo ?? 0) / 10)).toBe(8);
  }
});
