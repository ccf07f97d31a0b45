import { beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { describeChange, describeTotal } from './describe-savings.ts';
import { listFavorites } from './favorite-queries.server.ts';
import { listSavings } from './savings-queries.server.ts';
import { setFavorite } from './set-favorite.server.ts';

const database = useTestDatabase();
const site = { currency: 'USD', timeZone: 'UTC' };
let user: string;
beforeEach(async () => {
  user = (await insertUser(database.db, { email_verified: true })).id;
});

const keep = (id: number) => setFavorite(database.db, user, id, true);
const setPrice = (id: number, sale_price: number) =>
  database.db.updateTable('deals').set({ sale_price }).where('id', '=', id).execute();
const watch = (deal_id: number, target_price: number) =>
  database.db.insertInto('price_alerts').values({ user_id: user, deal_id, target_price }).execute();
const keptPrices = async () =>
  (await database.db.selectFrom('user_favorites').select('kept_price').orderBy('id').execute()).map(
    ({ kept_price }) => kept_price,
  );
const saved = async (of = user) => {
  const { total, deals, savings } = await listSavings(database.db, of);
  return {
    total,
    deals,
    by: savings.map(({ title, by, before, after }) => [title, by, before, after]),
  };
};

describe('the price when a deal was saved', () => {
  test('stores the price with a favorite, and keeps it on a second click', async () => {
    const { id } = await insertDeal(database.db, { sale_price: 5_000 });
    await keep(id);
    await setPrice(id, 4_000);
    await keep(id);
    expect(await keptPrices()).toEqual([5_000]);
  });

  test('does not store a price if the deal is unavailable, or its store forbids price history', async () => {
    const gone = await insertDeal(database.db, { availability: 'out_of_stock' });
    const { id: merchant_id } = await insertMerchant(database.db, { keep_history: false });
    const silent = await insertDeal(database.db, { merchant_id });
    await keep(gone.id);
    await keep(silent.id);
    expect(await keptPrices()).toEqual([null, null]);
  });

  test('sorts the largest drop first and unknown ones last', async () => {
    const fallsBy = async (title: string, fall: number) => {
      const { id } = await insertDeal(database.db, { title, sale_price: 5_000 });
      await keep(id);
      if (fall !== 0) await setPrice(id, 5_000 - fall);
      return id;
    };
    await fallsBy('little', 100);
    await fallsBy('much', 900);
    await fallsBy('rose', -500);
    const unknown = await fallsBy('unknown', 4_000);
    await sql`update user_favorites set kept_price = null where deal_id = ${unknown}`.execute(
      database.db,
    );
    const titles = async (sort: 'newest' | 'change') =>
      (await listFavorites(database.db, user, { page: 1, sort })).favorites.map(
        ({ title }) => title,
      );
    expect(await titles('change')).toEqual(['much', 'little', 'rose', 'unknown']);
    expect(await titles('newest')).toEqual(['unknown', 'rose', 'much', 'little']);
  });
});

describe('savings', () => {
  test('counts each deal’s saving once, by an alert’s price or else the favorite’s current price', async () => {
    const told = await insertDeal(database.db, { title: 'told', sale_price: 10_000 });
    const kept = await insertDeal(database.db, { title: 'kept', sale_price: 3_000 });
    const dearer = await insertDeal(database.db, { title: 'dearer', sale_price: 3_000 });
    for (const { id } of [told, kept, dearer]) await keep(id);
    await watch(told.id, 9_000);
    await setPrice(told.id, 8_500);
    await setPrice(told.id, 9_900); // The price rose again, but the alert's price still counts.
    await setPrice(kept.id, 2_800);
    await setPrice(dearer.id, 3_500);
    expect(await saved()).toEqual({
      total: 1_700,
      deals: 2,
      by: [
        ['told', 'alert', 10_000, 8_500],
        ['kept', 'favorite', 3_000, 2_800],
      ],
    });
    expect(await saved('nobody')).toEqual({ total: 0, deals: 0, by: [] });
  });

  test('omits savings of a deal that is expired, unavailable, or has a hidden price', async () => {
    const { id: merchant_id } = await insertMerchant(database.db, { hide_price_after_hours: 24 });
    const hidden = await insertDeal(database.db, { sale_price: 3_000, merchant_id });
    const over = await insertDeal(database.db, { sale_price: 3_000 });
    const gone = await insertDeal(database.db, { sale_price: 3_000 });
    for (const { id } of [hidden, over, gone]) {
      await keep(id);
      await setPrice(id, 2_000);
    }
    await sql`update deals set price_checked_at = now() - interval '2 days' where id = ${hidden.id}`.execute(
      database.db,
    );
    await sql`update deals set expires_at = now() - interval '1 hour' where id = ${over.id}`.execute(
      database.db,
    );
    await sql`update deals set availability = 'out_of_stock' where id = ${gone.id}`.execute(
      database.db,
    );
    expect(await saved()).toEqual({ total: 0, deals: 0, by: [] });
  });
});

describe('savings in words', () => {
  const kept = { price: 5_000, at: new Date('2026-11-03T12:00:00Z') };

  test.each([
    [3_800, '$12.00 less than when you saved it on Nov 3'],
    [5_500, '$5.00 more than when you saved it on Nov 3'],
    [5_000, 'The same price as when you saved it on Nov 3'],
  ])('describes savings of %i as “%s”', (now, words) => {
    expect(describeChange(kept, now, site)).toMatch(new RegExp(`^${RegExp.escape(words)}`));
  });

  test('does not claim that the user bought anything', () => {
    const { amount, text } = describeTotal(21_400, 7, 'USD');
    expect(`${amount} ${text}`).toBe('$214.00 less over 7 deals, if you bought at that price.');
    expect(describeTotal(0, 0, 'USD').text).toMatch(/^Nothing yet/);
  });
});
