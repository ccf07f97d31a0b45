import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';

const database = useTestDatabase();

const kept = sql`select deal_id, is_active, is_expired, traits, category_id, merchant_id, created_at, expires_at, title, search
  from deal_texts order by deal_id`;
const asDealsSay = sql`select id as deal_id, is_active, is_expired, traits, category_id, merchant_id, created_at, expires_at, fold(title) as title,
  deal_words(title, description) as search from deals order by id`;

async function expectStored(): Promise<void> {
  expect((await kept.execute(database.db)).rows).toEqual(
    (await asDealsSay.execute(database.db)).rows,
  );
}

/** Returns values that change whenever a row is written. */
async function versions(): Promise<unknown[]> {
  return (
    await sql`select xmin::text, ctid::text from deal_texts order by deal_id`.execute(database.db)
  ).rows;
}

// After every write, the search texts must match the deals.
describe('deals’ search texts', () => {
  test('creates, updates and deletes search texts with each deal', async () => {
    const { db } = database;
    const [one, other] = [await insertDeal(db, { title: 'Kettle' }), await insertDeal(db)];
    await expectStored();
    const category_id = (await insertCategory(db)).id;
    const merchant_id = (await insertMerchant(db)).id;
    for (const change of [
      { title: 'Blue kettle' },
      { description: 'Boils a litre.' },
      { title: 'Pot', description: 'Cooks.', is_featured: true },
      { is_active: false },
      { expires_at: new Date('2020-01-01') },
      { expires_at: null },
      { status: 'used' as const, coupon_code: 'TEN' },
      { category_id },
      { merchant_id },
      { created_at: new Date('2026-02-03') },
    ]) {
      await db.updateTable('deals').set(change).where('id', '=', one.id).execute();
      await expectStored();
    }
    await db.updateTable('deals').set({ is_featured: true, title: 'All alike' }).execute();
    await expectStored();
    await db.deleteFrom('deals').where('id', '=', other.id).execute();
    await expectStored();
  });

  test('does not rewrite search texts when only the price changes', async () => {
    await insertDeal(database.db);
    const before = await versions();
    await database.db
      .updateTable('deals')
      .set({
        sale_price: 100,
        original_price: 200,
        availability: 'out_of_stock',
        title: sql`title`,
      })
      .execute();
    expect(await versions()).toEqual(before);
  });
});
