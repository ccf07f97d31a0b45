import { describe, expect, test } from 'vitest';
import { demoCatalog, demoCounts, type DemoDeal, isWatchedForAYear } from './demo-catalog.ts';
import { demoPosts, postHtml, readTimeOf } from './demo-posts.ts';
import { demoCategories, demoMerchants } from './demo-shops.ts';
import { unitPriceOf } from '#app/features/prices/unit-price.ts';
import { slugify } from '#database/slug.ts';
import { productKinds } from './product-art.ts';

const catalog = demoCatalog();
const count = (matches: (deal: DemoDeal) => boolean) => catalog.filter(matches).length;
const lowestSeen = (deal: DemoDeal) => Math.min(...deal.steps.map((step) => step.salePriceInCents));
const highestSeen = (deal: DemoDeal) =>
  Math.max(...deal.steps.map((step) => step.salePriceInCents));

describe('the demo catalog', () => {
  test('returns an identical demo catalog on every call', () => {
    expect(demoCatalog()).toEqual(catalog);
  });

  test('creates 8 categories, 24 merchants with deals, and 240 deals with every kind of picture', () => {
    expect(demoCategories).toHaveLength(8);
    expect(demoMerchants).toHaveLength(24);
    expect(catalog).toHaveLength(240);
    expect(new Set(catalog.map((deal) => deal.merchant.name)).size).toBe(24);
    expect(new Set(catalog.map((deal) => deal.category)).size).toBe(8);
    expect(new Set(catalog.map((deal) => deal.kind)).size).toBe(productKinds.length);
  });

  test('gives each flag to exactly the promised number of deals', () => {
    expect({
      deals: catalog.length,
      coupons: count((deal) => deal.couponCode !== null),
      used: count((deal) => deal.condition !== null),
      featured: count((deal) => deal.isFeatured),
      expiringSoon: count((deal) => within(deal.expiresInHours, 0, 72)),
      expired: count((deal) => within(deal.expiresInHours, -Infinity, 0)),
      outOfStock: count((deal) => deal.availability === 'out_of_stock'),
      withoutPicture: count((deal) => !deal.hasPicture),
      withoutOriginalPrice: count((deal) => deal.originalPriceInCents === null),
      withoutHistory: count((deal) => deal.steps.length === 1),
      claimNeverSeen: count(
        (deal) => deal.steps.length > 1 && (deal.originalPriceInCents ?? 0) > highestSeen(deal),
      ),
      aboveTheirLow: count((deal) => lowestSeen(deal) < deal.salePriceInCents),
      watchedForAYear: count(isWatchedForAYear),
    }).toEqual(demoCounts);
  });

  test('repeats no title, slug or description in the demo catalog', () => {
    expect(new Set(catalog.map((deal) => deal.title)).size).toBe(240);
    expect(new Set(catalog.map((deal) => deal.slug)).size).toBe(240);
    expect(new Set(catalog.map((deal) => deal.description)).size).toBe(240);
  });

  test('gives ten demo deals a brand, which is also in their titles', () => {
    const branded = catalog.filter(({ brand }) => brand !== null);
    expect(branded).toHaveLength(10);
    for (const { brand, title } of branded) expect(title.split(' ')[0]).toBe(brand);
  });

  test('gives twelve demo deals net contents, from which a price per unit is computed', () => {
    const priced = count(
      (deal) => unitPriceOf(deal.salePriceInCents, deal.netContents, 'USD') !== null,
    );
    expect(priced).toBe(12);
    expect(count((deal) => deal.netContents !== null)).toBe(12);
  });

  test('includes long titles and titles in other scripts, all within the limit', () => {
    expect(Math.max(...catalog.map((deal) => deal.title.length))).toBeGreaterThan(120);
    expect(Math.max(...catalog.map((deal) => deal.title.length))).toBeLessThanOrEqual(200);
    expect(count((deal) => /\p{Script=Han}|\p{Script=Katakana}/u.test(deal.title))).toBe(2);
  });

  test('links demo deals to reserved domains only', () => {
    for (const deal of catalog)
      expect(new URL(deal.dealUrl).hostname).toMatch(/^[a-z-]+\.example$/);
  });

  test('creates realistic demo prices, with claims above the sale price and no discount of 75% or more', () => {
    for (const deal of catalog) {
      expect(deal.salePriceInCents).toBeGreaterThan(0);
      if (deal.originalPriceInCents === null) continue;
      const share = deal.salePriceInCents / deal.originalPriceInCents;
      expect(share).toBeLessThan(1);
      expect(share).toBeGreaterThan(0.25);
    }
  });

  test('creates price histories over 90 or 400 days that end at the current price', () => {
    for (const deal of catalog.filter(({ steps: { length } }) => length > 1)) {
      const { steps, salePriceInCents } = deal;
      const isLong = isWatchedForAYear(deal);
      expect(steps.length).toBeGreaterThanOrEqual(isLong ? 12 : 3);
      expect(steps.length).toBeLessThanOrEqual(isLong ? 60 : 12);
      expect(steps.at(-1)?.salePriceInCents).toBe(salePriceInCents);
      expect(Math.floor((steps[0]?.daysAgo ?? 0) / 10)).toBe(isLong ? 40 : 8);
      for (const [index, step] of steps.slice(1).entries()) {
        const before = steps[index];
        expect(step.daysAgo).toBeLessThan(before?.daysAgo ?? 0);
        expect(step.salePriceInCents).not.toBe(before?.salePriceInCents);
      }
    }
  });

  test('never changes a demo price after the deal has expired', () => {
    for (const deal of catalog) {
      const endedDaysAgo = Math.max(0, -(deal.expiresInHours ?? 0) / 24);
      expect(deal.steps.at(-1)?.daysAgo).toBeGreaterThan(endedDaysAgo);
    }
  });

  test('marks books from the second-hand shop as used', () => {
    const books = catalog.filter((deal) => deal.merchant.name === 'Twicetold Shelf');
    expect(books.length).toBeGreaterThan(0);
    expect(books.every((deal) => deal.condition !== null)).toBe(true);
  });
});

describe('the demo posts', () => {
  test('creates twelve demo posts of four to six paragraphs each, two of them featured', () => {
    expect(demoPosts).toHaveLength(12);
    expect(demoPosts.filter((post) => post.isFeatured)).toHaveLength(2);
    expect(new Set(demoPosts.map((post) => slugify(post.title))).size).toBe(12);
    for (const post of demoPosts) {
      const paragraphs = postHtml(post).match(/<p>/g) ?? [];
      expect(paragraphs.length).toBeGreaterThanOrEqual(4);
      expect(paragraphs.length).toBeLessThanOrEqual(6);
      expect(readTimeOf(post)).toBeGreaterThanOrEqual(2);
    }
  });
});

function within(hours: number | null, after: number, until: number): boolean {
  return hours !== null && hours > after && hours <= until;
}
