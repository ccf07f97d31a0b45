import { describe, expect, test } from 'vitest';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { findAlertDeals } from '#app/features/price-alerts/find-alert-deals.server.ts';
import {
  favoritesPerPage,
  listFavorites,
} from '#app/features/favorites/favorite-queries.server.ts';
import { insertUser } from '#test/factories/insert.ts';
import { listDealAddresses, listDealRanges, listNewestDeals } from './deal-feed-queries.server.ts';
import { findDealById, findDealBySlug, findDealRedirect } from './deal-queries.server.ts';
import { findFreeDealSlug } from './find-free-deal-slug.server.ts';

const database = useTestDatabase();
const ended = new Date('2020-01-01T00:00:00Z');

describe('a free slug (P6)', () => {
  const free = (slug: string, title = '', ownId: number | null = null) =>
    findFreeDealSlug(database.db, { slug, title }, ownId);

  test('uses the requested slug, else the title’s, else the word deal', async () => {
    expect(await free('Desk Lamp', 'Other')).toBe('desk-lamp');
    expect(await free('!!!', 'Desk Lamp')).toBe('desk-lamp');
    expect(await free('', '日本')).toBe('riben');
    expect(await free('☕', '!!!')).toBe('deal');
  });

  test('never creates a slug of digits only, which would read as a deal’s id', async () => {
    expect(await free('2024')).toBe('deal-2024');
  });

  test('appends the next free number to a slug, even if an inactive deal has the slug', async () => {
    await insertDeal(database.db, { slug: 'lamp' });
    await insertDeal(database.db, { slug: 'lamp-2', is_active: false });
    expect(await free('lamp')).toBe('lamp-3');
  });

  test('does not reuse a former slug of another deal, since old links redirect from it', async () => {
    const { id } = await insertDeal(database.db, { slug: 'lamp' });
    await database.db.updateTable('deals').set({ slug: 'light' }).where('id', '=', id).execute();
    expect(await free('lamp')).toBe('lamp-2');
    expect(await free('lamp', '', id)).toBe('lamp');
  });

  test('keeps the deal’s own slug', async () => {
    const { id } = await insertDeal(database.db, { slug: 'lamp' });
    expect(await free('lamp', '', id)).toBe('lamp');
  });

  test('treats an underscore in a slug as text, not as a wildcard', async () => {
    await insertDeal(database.db, { slug: 'lamp-xx' });
    expect(await free('lamp')).toBe('lamp');
  });
});

describe('a deal by its address', () => {
  test('P3: does not find an inactive deal by any URL', async () => {
    const { id } = await insertDeal(database.db, { slug: 'lamp', is_active: false });
    expect(await findDealBySlug(database.db, 'lamp')).toBeNull();
    expect(await findDealById(database.db, id)).toBeNull();
    expect(await findDealRedirect(database.db, String(id))).toBeNull();
  });

  test('redirects from a deal’s id to its slug', async () => {
    const { id } = await insertDeal(database.db, { slug: 'lamp' });
    expect(await findDealRedirect(database.db, String(id))).toBe('lamp');
  });

  test('finds a deal only by its id or slug', async () => {
    await insertDeal(database.db);
    const none = ['0', '-1', '1.0', '01', '1e0', '999999999999999999999', '', '1 or 1=1'];
    for (const text of none) {
      expect([text, await findDealRedirect(database.db, text)]).toEqual([text, null]);
    }
  });

  test('returns the merchant’s facts that the deal’s page shows', async () => {
    const merchant = await insertMerchant(database.db, {
      description: 'Lamps since 1920.',
      keep_history: false,
      affiliate_template: '?tag=secret',
    });
    await insertDeal(database.db, {
      slug: 'lamp',
      merchant_id: merchant.id,
      description: 'x'.repeat(900),
    });
    const deal = await findDealBySlug(database.db, 'lamp');
    expect(deal?.description).toHaveLength(900);
    expect(deal?.merchant).toMatchObject({ description: 'Lamps since 1920.', keep_history: false });
    expect(JSON.stringify(deal)).not.toContain('secret');
  });
});

describe('feeds and sitemaps', () => {
  test('lists the newest live deals of a category, of a merchant, or of both for feeds', async () => {
    const { db } = database;
    const category_id = (await insertCategory(db)).id;
    const merchant_id = (await insertMerchant(db)).id;
    const at = (day: number) => new Date(Date.UTC(2026, 0, day));
    const both = await insertDeal(db, { category_id, merchant_id, created_at: at(1) });
    const byCategory = await insertDeal(db, { category_id, created_at: at(2) });
    const byMerchant = await insertDeal(db, { merchant_id, created_at: at(3) });
    await insertDeal(db, { category_id, merchant_id, is_active: false, created_at: at(4) });
    await insertDeal(db, { category_id, merchant_id, expires_at: ended, created_at: at(5) });
    const ids = async (filter: object, limit = 10) =>
      (await listNewestDeals(db, filter, limit)).map(({ id }) => id);
    expect(await ids({})).toEqual([byMerchant.id, byCategory.id, both.id]);
    expect(await ids({ categoryId: category_id })).toEqual([byCategory.id, both.id]);
    expect(await ids({ merchantId: merchant_id })).toEqual([byMerchant.id, both.id]);
    expect(await ids({ categoryId: category_id, merchantId: merchant_id })).toEqual([both.id]);
    expect(await ids({}, 1)).toEqual([byMerchant.id]);
  });

  test('lists the URLs of live deals for the sitemap in batches without gaps', async () => {
    const { db } = database;
    const made = [];
    for (let n = 0; n < 5; n += 1) made.push((await insertDeal(db, { is_active: n !== 2 })).id);
    const live = made.filter((_, index) => index !== 2);
    const last = made.at(-1) ?? 0;
    const first = await listDealAddresses(db, { after: 0, last, limit: 3 });
    const rest = await listDealAddresses(db, { after: first.at(-1)?.id ?? 0, last, limit: 3 });
    expect([...first, ...rest].map(({ id }) => id)).toEqual(live);
    expect(await listDealAddresses(db, { after: 0, last: made[1] ?? 0, limit: 9 })).toHaveLength(2);
  });

  test('lists the id ranges that contain a live deal, and skips gaps', async () => {
    const { db } = database;
    expect(await listDealRanges(db, 10)).toEqual([]);
    const { id } = await insertDeal(db);
    const renumber = (from: number, to: number) =>
      db.updateTable('deals').set({ id: to }).where('id', '=', from).execute();
    await expect(renumber(id, 20)).rejects.toThrow(/id/); // The database generates ids.
    await database.pool.query("select setval(pg_get_serial_sequence('deals', 'id'), 20)");
    await insertDeal(db); // id 21
    await database.pool.query("select setval(pg_get_serial_sequence('deals', 'id'), 9999)");
    await insertDeal(db, { is_active: false }); // id 10,000
    await insertDeal(db); // id 10,001
    expect(await listDealRanges(db, 10)).toEqual([1, 3, 1001]);
  });
});

describe('deals for alerts', () => {
  test('returns live deals of merchants that allow alerts, in the requested order', async () => {
    const { db } = database;
    const forbids = await insertMerchant(db, { allow_alerts: false });
    const first = await insertDeal(db, { title: 'Lamp one' });
    const second = await insertDeal(db, { title: 'Lamp two' });
    const left = [
      await insertDeal(db, { merchant_id: forbids.id }),
      await insertDeal(db, { is_active: false }),
      await insertDeal(db, { expires_at: ended }),
    ];
    const asked = [second.id, ...left.map(({ id }) => id), 999_999, first.id];
    const found = await findAlertDeals(db, asked);
    expect(found.map(({ title }) => title)).toEqual(['Lamp two', 'Lamp one']);
    expect(found[0]).toMatchObject({ id: second.id, sale_price: 1999, picture: null });
    expect(await findAlertDeals(db, [])).toEqual([]);
  });
});

describe('favorites', () => {
  // Proves Storefront 7: Favorites: newest first, no deal twice (favorite-queries.server.ts)
  test('paginates favorites, newest first, without unpublished deals', async () => {
    const { db } = database;
    const user = await insertUser(db);
    const other = await insertUser(db);
    const [category_id, merchant_id] = [
      (await insertCategory(db)).id,
      (await insertMerchant(db)).id,
    ];
    const keep = async (user_id: string, n: number, is_active = true) => {
      const deal = await insertDeal(db, {
        title: `Lamp ${n}`,
        category_id,
        merchant_id,
        is_active,
      });
      const created_at = new Date(Date.UTC(2026, 0, 1, 0, n));
      await db
        .insertInto('user_favorites')
        .values({ user_id, deal_id: deal.id, created_at })
        .execute();
    };
    for (let n = 1; n <= favoritesPerPage + 2; n += 1) await keep(user.id, n);
    await keep(user.id, 99, false);
    await keep(other.id, 98);
    const first = await listFavorites(db, user.id, { page: 1, sort: 'newest' });
    const second = await listFavorites(db, user.id, { page: 2, sort: 'newest' });
    expect([first.total, first.pageCount]).toEqual([26, 2]);
    expect(first.favorites[0]?.title).toBe('Lamp 26');
    expect(second.favorites.map(({ title }) => title)).toEqual(['Lamp 2', 'Lamp 1']);
    expect((await listFavorites(db, 'nobody', { page: 1, sort: 'newest' })).pageCount).toBe(1);
  });
});
