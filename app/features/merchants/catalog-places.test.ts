import { describe, expect, test } from 'vitest';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { findPresentSlug, listAddresses } from '#app/features/catalog/slug-queries.server.ts';
import {
  findCategoryBySlug,
  listCategories,
} from '#app/features/categories/category-queries.server.ts';
import {
  countMerchants,
  findMerchantBySlug,
  listFeaturedMerchants,
  listMerchants,
  listMerchantsByName,
} from './merchant-queries.server.ts';
import { summariseProgrammes } from './programme-queries.server.ts';

const database = useTestDatabase();
const names = (rows: { name: string }[]) => rows.map(({ name }) => name);

describe('categories', () => {
  // Proves Storefront 7: Categories by name; merchants featured first, then by name (merchant-queries.server.ts)
  test('lists categories by name with their number of live deals', async () => {
    const { db } = database;
    const tools = await insertCategory(db, { name: 'Tools' });
    await insertCategory(db, { name: 'Audio' });
    await insertDeal(db, { category_id: tools.id });
    await insertDeal(db, { category_id: tools.id, is_active: false });
    await insertDeal(db, { category_id: tools.id, expires_at: new Date('2020-01-01') });
    const listed = await listCategories(db);
    expect(listed.map(({ name, deal_count }) => [name, deal_count])).toEqual([
      ['Audio', 0],
      ['Tools', 1],
    ]);
  });

  test('keeps category counts correct when a deal moves, ends, returns and is deleted', async () => {
    const { db } = database;
    const from = await insertCategory(db, { name: 'From' });
    const to = await insertCategory(db, { name: 'To' });
    const deal = await insertDeal(db, { category_id: from.id });
    const set = (values: object) =>
      db.updateTable('deals').set(values).where('id', '=', deal.id).execute();
    const counts = async () => (await listCategories(db)).map(({ deal_count }) => deal_count);
    expect(await counts()).toEqual([1, 0]);
    await set({ category_id: to.id });
    expect(await counts()).toEqual([0, 1]);
    await set({ is_active: false });
    expect(await counts()).toEqual([0, 0]);
    await set({ is_active: true });
    expect(await counts()).toEqual([0, 1]);
    await set({ expires_at: new Date('2020-01-01') });
    expect(await counts()).toEqual([0, 0]);
    await set({ expires_at: null });
    expect(await counts()).toEqual([0, 1]);
    await db.deleteFrom('deals').where('id', '=', deal.id).execute();
    expect(await counts()).toEqual([0, 0]);
  });

  test('finds a category by its exact slug', async () => {
    await insertCategory(database.db, { name: 'Tools', slug: 'tools' });
    expect((await findCategoryBySlug(database.db, 'tools'))?.name).toBe('Tools');
    for (const slug of ['Tools', 'tool', 'tools ', '', "tools' or '1'='1"]) {
      expect(await findCategoryBySlug(database.db, slug)).toBeNull();
    }
  });

  test('P6: redirects from a category’s old slug, until another category takes it', async () => {
    const { db } = database;
    const category = await insertCategory(db, { slug: 'tools' });
    const rename = (slug: string) =>
      db.updateTable('categories').set({ slug }).where('id', '=', category.id).execute();
    expect(await findPresentSlug(db, 'categories', 'tools')).toBeNull();
    await rename('hand-tools');
    await rename('workshop');
    expect(await findPresentSlug(db, 'categories', 'tools')).toBe('workshop');
    expect(await findPresentSlug(db, 'categories', 'hand-tools')).toBe('workshop');
    expect(await findPresentSlug(db, 'merchants', 'tools')).toBeNull();
    await rename('tools');
    expect(await findPresentSlug(db, 'categories', 'tools')).toBeNull();
    expect(await findPresentSlug(db, 'categories', 'workshop')).toBe('tools');
  });

  test('returns a limited number of category slugs for the sitemap, with their last change', async () => {
    await insertCategory(database.db, { slug: 'a' });
    await insertCategory(database.db, { slug: 'b' });
    const addresses = await listAddresses(database.db, 'categories', 1);
    expect(addresses).toEqual([{ slug: 'a', updated_at: expect.any(Date) }]);
    expect(await listAddresses(database.db, 'categories', 10)).toHaveLength(2);
  });
});

describe('merchants', () => {
  test('paginates merchants by name, with each merchant once', async () => {
    for (const name of ['Delta', 'alpha', 'Bravo', 'Bravo', 'Charlie']) {
      await insertMerchant(database.db, { name });
    }
    const page = (offset: number) => listMerchantsByName(database.db, { limit: 2, offset });
    const all = [...(await page(0)), ...(await page(2)), ...(await page(4))];
    expect(new Set(all.map(({ id }) => id)).size).toBe(5);
    expect(names(all)).toEqual(
      names(await listMerchantsByName(database.db, { limit: 9, offset: 0 })),
    );
    expect(await page(6)).toEqual([]);
    expect(await countMerchants(database.db)).toBe(5);
  });

  test('lists featured merchants first on the stores page, and sorts both groups by name', async () => {
    await insertMerchant(database.db, { name: 'Anvil' });
    await insertMerchant(database.db, { name: 'Zebra', is_featured: true });
    await insertMerchant(database.db, { name: 'Yak', is_featured: true });
    const pages = [0, 2].map((offset) => listMerchants(database.db, { limit: 2, offset }));
    expect(names((await Promise.all(pages)).flat())).toEqual(['Yak', 'Zebra', 'Anvil']);
  });

  test('lists only featured merchants on the home page', async () => {
    await insertMerchant(database.db, { name: 'Plain' });
    await insertMerchant(database.db, { name: 'Zeta', is_featured: true });
    await insertMerchant(database.db, { name: 'Eta', is_featured: true });
    expect(names(await listFeaturedMerchants(database.db, 8))).toEqual(['Eta', 'Zeta']);
    expect(names(await listFeaturedMerchants(database.db, 1))).toEqual(['Eta']);
  });

  test('finds a merchant by the current and old slugs', async () => {
    const { db } = database;
    const { id } = await insertMerchant(db, { slug: 'lamp-house', free_shipping_over: 3500 });
    expect(await findMerchantBySlug(db, 'lamp-house')).toMatchObject({
      id,
      free_shipping_over: 3500,
    });
    await db.updateTable('merchants').set({ slug: 'lamps' }).where('id', '=', id).execute();
    expect(await findMerchantBySlug(db, 'lamp-house')).toBeNull();
    expect(await findPresentSlug(db, 'merchants', 'lamp-house')).toBe('lamps');
    expect(await findPresentSlug(db, 'categories', 'lamp-house')).toBeNull();
  });

  test('never exposes private fields of a merchant', async () => {
    await insertMerchant(database.db, {
      slug: 'lamp-house',
      affiliate_template: '?tag=secret-20',
      affiliate_sub_id: 'secret-sub',
    });
    const shown = [
      await findMerchantBySlug(database.db, 'lamp-house'),
      await listMerchantsByName(database.db, { limit: 9, offset: 0 }),
    ];
    expect(JSON.stringify(shown)).not.toContain('secret');
  });

  test('returns merchant slugs for the sitemap', async () => {
    await insertMerchant(database.db, { slug: 'a' });
    expect(await listAddresses(database.db, 'merchants', 5)).toEqual([
      { slug: 'a', updated_at: expect.any(Date) },
    ]);
  });
});

describe('the facts about how the site earns (P35c)', () => {
  test('counts the stores, and names those with an affiliate program and those without a price history', async () => {
    const { db } = database;
    await insertMerchant(db, { name: 'Plain' });
    await insertMerchant(db, { name: 'Pays', affiliate_template: '?tag=x' });
    await insertMerchant(db, { name: 'Also pays', affiliate_template: '?tag=y' });
    await insertMerchant(db, { name: 'Forbids', keep_history: false });
    await insertMerchant(db, { name: 'Hides', hide_price_after_hours: 24 });
    expect(await summariseProgrammes(db)).toEqual({
      total: 5,
      withAffiliateLink: 2,
      names: ['Also pays', 'Pays'],
      withoutHistory: ['Forbids'],
      hidingPrices: ['Hides'],
    });
  });

  test('names at most thirty stores, but counts all', async () => {
    for (let n = 0; n < 33; n += 1) {
      await insertMerchant(database.db, { affiliate_template: '?tag=x', keep_history: false });
    }
    const summary = await summariseProgrammes(database.db);
    expect(summary.withAffiliateLink).toBe(33);
    expect([summary.names.length, summary.withoutHistory.length]).toEqual([30, 30]);
  });

  test('returns no stores on an empty site', async () => {
    expect(await summariseProgrammes(database.db)).toEqual({
      total: 0,
      withAffiliateLink: 0,
      names: [],
      withoutHistory: [],
      hidingPrices: [],
    });
  });
});
