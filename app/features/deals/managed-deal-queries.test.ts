import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { ask } from '#database/ask.ts';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import type { NewDeal } from '#test/factories/a-deal.ts';
import { useTestDatabase } from '#test/database.ts';
import {
  countDealFigures,
  listManagedDeals,
  listManagedIds,
  managedCondition,
} from './managed-deal-queries.server.ts';
import { dealsTable } from './deals-table.ts';
import { parseTableQuery, rowsPerPage } from '#app/platform/table-query.ts';

const database = useTestDatabase();

const asked = (query = '') => parseTableQuery(dealsTable, new URLSearchParams(query));
const read = (query = '') => listManagedDeals(database.db, asked(query));
const titles = async (query = '') => (await read(query)).rows.map((deal) => deal.title);

describe('the list of all deals', () => {
  async function aShop() {
    const { db } = database;
    const tools = await insertCategory(db, { name: 'Tools' });
    const acme = await insertMerchant(db, { name: 'Acme', is_featured: true });
    const zed = await insertMerchant(db, { name: 'Zed 50% Off' });
    const picture = '/media/a.webp';
    const deals: Partial<NewDeal>[] = [
      { title: 'Drill', merchant_id: zed.id, category_id: tools.id, sale_price: 300 },
      { title: 'axe', merchant_id: acme.id, sale_price: 100, is_active: false, image_url: picture },
      { title: 'Bed', merchant_id: acme.id, sale_price: 200, is_featured: true, is_demo: true },
      {
        title: 'Cup',
        merchant_id: zed.id,
        sale_price: 400,
        held_price: 5,
        availability: 'unknown',
      },
      { title: 'Elk', merchant_id: zed.id, sale_price: 500, availability: 'out_of_stock' },
      { title: 'Fan', merchant_id: zed.id, sale_price: 600, expires_at: new Date('2020-01-01') },
    ];
    for (const [n, deal] of deals.entries()) {
      await insertDeal(db, { image_url: picture, created_at: new Date(2026, 0, n + 1), ...deal });
    }
    await db.updateTable('deals').set({ image_url: null }).where('title', '=', 'Drill').execute();
    await db
      .updateTable('deals')
      .set({ link_broken_since: new Date(2026, 0, 1) })
      .where('title', 'in', ['Elk', 'Fan', 'axe'])
      .execute();
    await sql`
      insert into clicks (deal_id, day, count)
      select id, (now() at time zone 'UTC')::date, 2 from deals where title = 'Cup'`.execute(db);
    return { tools, acme, zed };
  }

  test('lists managed deals newest first, with inactive and expired ones, merchant and category', async () => {
    await aShop();
    expect(await titles()).toEqual(['Fan', 'Elk', 'Cup', 'Bed', 'axe', 'Drill']);
    expect((await read('q=drill')).rows[0]).toMatchObject({
      merchant: 'Zed 50% Off',
      category: 'Tools',
      broken_url: null,
    });
    expect((await read('q=elk')).rows[0]?.broken_url).toMatch(/^https:/);
  });

  // Proves Back office 2: Filters: title or merchant, status, stock, seller
  // Proves Design: Saved view "Broken link"
  // Proves P8: the admin’s filter
  test('filters managed deals by every filter', async () => {
    const { tools, acme } = await aShop();
    const expected: Record<string, string[]> = {
      'status=active': ['Elk', 'Cup', 'Bed', 'Drill'],
      'status=expired': ['Fan'],
      'status=inactive': ['axe'],
      'stock=in': ['Fan', 'Bed', 'axe', 'Drill'],
      'stock=out': ['Elk'],
      'seller=verified': ['Bed', 'axe'],
      'seller=unverified': ['Fan', 'Elk', 'Cup', 'Drill'],
      'show=featured': ['Bed'],
      'show=expired': ['Fan'],
      'show=no-picture': ['Drill'],
      'show=held': ['Cup'],
      'show=broken-link': ['Elk'],
      'show=unclicked': ['Elk', 'Bed', 'Drill'],
      'show=demo': ['Bed'],
      // The search matches a title or the merchant's name.
      'q=ED': ['Fan', 'Elk', 'Cup', 'Bed', 'Drill'],
      'q=50%25': ['Fan', 'Elk', 'Cup', 'Drill'],
      'q=_': [],
      'q=acme&status=active': ['Bed'],
      'status=nonsense&stock=&show=x&category=-1': ['Fan', 'Elk', 'Cup', 'Bed', 'axe', 'Drill'],
      [`category=${tools.id}`]: ['Drill'],
      [`merchant=${acme.id}`]: ['Bed', 'axe'],
    };
    for (const [query, wanted] of Object.entries(expected)) {
      expect([query, await titles(query)]).toEqual([query, wanted]);
    }
  });

  test('sorts managed deals by each column, both ways', async () => {
    await aShop();
    expect(await titles('sort=title')).toEqual(['axe', 'Bed', 'Cup', 'Drill', 'Elk', 'Fan']);
    expect(await titles('sort=-price')).toEqual(['Fan', 'Elk', 'Cup', 'Drill', 'Bed', 'axe']);
    expect(await titles('sort=merchant')).toEqual(['axe', 'Bed', 'Drill', 'Cup', 'Elk', 'Fan']);
    expect((await titles('sort=status'))[0]).toBe('axe');
    expect(await titles('sort=-clicks')).toEqual(['Cup', 'Fan', 'Elk', 'Bed', 'axe', 'Drill']);
  });

  // Proves P5: the table is paged by the database
  test('paginates managed deals, with each deal once in every order, read from either end', async () => {
    const { db } = database;
    const category_id = (await insertCategory(db)).id;
    const merchant_id = (await insertMerchant(db)).id;
    const count = rowsPerPage * 2 + 3;
    for (let n = 0; n < count; n++) {
      await insertDeal(db, { category_id, merchant_id, created_at: new Date(2026, 0, 1) });
    }
    for (const sort of dealsTable.sorts) {
      const pages = await Promise.all([1, 2, 3].map((page) => read(`sort=${sort}&page=${page}`)));
      expect(pages.map((page) => page.rows.length)).toEqual([50, 50, 3]);
      expect(new Set(pages.flatMap((page) => page.rows.map((deal) => deal.id))).size).toBe(count);
    }
    expect(await read('page=99')).toMatchObject({ page: 3, pageCount: 3, total: count });
  });

  test('counts managed deals for the stat cards correctly after any write', async () => {
    await aShop();
    expect(await countDealFigures(database.db)).toEqual({
      total: 6,
      active: 4,
      featured: 1,
      expired: 1,
    });
    const titleOf = async (at: string) => (await titles(at))[0];
    const change = database.db.updateTable('deals');
    await change.set({ is_active: true, is_featured: true }).where('title', '=', 'axe').execute();
    await change.set({ expires_at: null }).where('title', '=', 'Fan').execute();
    const counted = { total: 6, active: 6, featured: 2, expired: 0 };
    expect(await countDealFigures(database.db)).toEqual(counted);
    expect(await titleOf('sort=-status')).toBe('Fan');
    await database.db.deleteFrom('deals').where('title', 'in', ['Bed', 'Cup']).execute();
    const left = { total: 4, active: 4, featured: 1, expired: 0 };
    expect(await countDealFigures(database.db)).toEqual(left);
    expect((await read()).total).toBe(4);
  });

  test('counts and searches managed deals with index-only scans for any parameters', async () => {
    await database.db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx);
      await sql`set local enable_bitmapscan = off`.execute(tx);
      for (const query of ['q=go', 'status=active&seller=verified', 'stock=in&q=b&show=expired']) {
        const lines = await ask(tx).column<string>`
          explain select count(*) from deals d where ${managedCondition(asked(query))}`;
        const scans = lines.filter((line) => line.includes('deals d'));
        expect([query, scans]).toEqual([query, [expect.stringContaining('Index Only Scan')]]);
      }
    });
  });

  test('returns the ids that match the filter', async () => {
    await aShop();
    expect(await listManagedIds(database.db, asked('seller=verified'))).toHaveLength(2);
    expect(await read('q=nothing')).toEqual({ rows: [], total: 0, page: 1, pageCount: 1 });
  });
});
