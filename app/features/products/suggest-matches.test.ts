import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { deleteDeals, restoreDeals } from '#app/features/deals/delete-deals.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { matchProducts } from './match-offers.server.ts';
import { linkDeals } from './review-links.server.ts';
import { suggestMatches } from './suggest-matches-job.server.ts';

const database = useTestDatabase();
const gtin = '4006381333931';
const title = 'Lumo Nova 15 Pro 256 GB Black';
const headphones = 'Sono WH-1000XM5 headphones';
let category_id = 0;
let stores: number[] = [];

beforeEach(async () => {
  category_id = (await insertCategory(database.db)).id;
  stores = [];
  for (let n = 0; n < 3; n++) {
    stores.push((await insertMerchant(database.db, { matches_freely: true })).id);
  }
});

async function addDeal(store: number, changes: object = {}): Promise<number> {
  const place = { category_id, merchant_id: stores[store] ?? 0 };
  return (await insertDeal(database.db, { title, sale_price: 90_000, ...place, ...changes })).id;
}

async function suggestions() {
  await matchProducts(database.db);
  await suggestMatches(database.db);
  return database.db
    .selectFrom('match_suggestions')
    .select(['deal_id', 'other_id', 'reason'])
    .orderBy('deal_id')
    .orderBy('other_id')
    .execute();
}

const pair = (deal_id: number, other_id: number, reason: string) => ({ deal_id, other_id, reason });

const dismiss = (deal_id: number, other_id: number) =>
  database.db.insertInto('duplicate_dismissals').values({ deal_id, other_id }).execute();

describe('suggestions', () => {
  test('states the difference between two deals with one GTIN', async () => {
    const [one, two] = [await addDeal(0, { gtin }), await addDeal(1, { gtin })];
    const red = await addDeal(2, { gtin, title: 'Lumo Nova 15 Pro 256 GB Red' });
    expect(await suggestions()).toEqual([pair(one, red, 'gtin-colour')]);
    const linked = await database.db
      .selectFrom('deals')
      .select('id')
      .where('product_id', 'is not', null)
      .orderBy('id')
      .execute();
    expect(linked).toEqual([{ id: one }, { id: two }]);
  });

  test('includes pairs with one GTIN at new stores and at the same store', async () => {
    const fresh = (await insertMerchant(database.db, { matches_freely: false })).id;
    const one = await addDeal(0, { gtin });
    const two = await addDeal(0, { gtin, merchant_id: fresh });
    const three = await addDeal(0, { gtin });
    expect(await suggestions()).toEqual([
      pair(one, two, 'gtin'),
      pair(one, three, 'gtin'),
      pair(two, three, 'gtin'),
    ]);
  });

  test('finds a model number at another store, but never links by it', async () => {
    const one = await addDeal(0, { title: headphones });
    const two = await addDeal(1, { title: 'WH1000XM5 Sono wireless headphones' });
    await addDeal(1, { title: 'Sono WH-1000XM4 headphones' });
    await addDeal(0, { title: `${headphones}, black` });
    expect((await suggestions()).slice(0, 1)).toEqual([pair(one, two, 'code')]);
    expect(await linkCount()).toBe(0);
  });

  test('ignores a shared model number if the rest contradicts it', async () => {
    await addDeal(0, { title: headphones, sale_price: 30_000 });
    await addDeal(1, { title: 'Ear pads for WH-1000XM5', sale_price: 900 });
    expect(await suggestions()).toEqual([]);
  });

  test('finds equal part numbers within one brand', async () => {
    const part = { brand: 'Lumo', mpn: 'KT-100' };
    const one = await addDeal(0, { ...part, title: 'Lumo kettle steel' });
    const two = await addDeal(1, { ...part, mpn: 'kt100', title: 'Kettle Lumo, steel' });
    await addDeal(2, { brand: 'Vela', mpn: 'KT-100', title: 'Vela kettle steel' });
    expect(await suggestions()).toEqual([pair(one, two, 'mpn')]);
  });

  test('finds variants of a product in the group of a store', async () => {
    const [one] = [await addDeal(0, { gtin, item_group_id: 'nova' }), await addDeal(1, { gtin })];
    const blue = { title: 'Lumo Nova 15 Pro 256 GB Blue', item_group_id: 'nova' };
    const other = await addDeal(0, blue);
    await addDeal(2, { ...blue, title: 'Vela shoe size 9' });
    expect(await suggestions()).toEqual([pair(one, other, 'group')]);
  });

  test('represents a product in pairs by its first live deal', async () => {
    const [one, two] = [await addDeal(0, { gtin }), await addDeal(1, { gtin })];
    await suggestions();
    const red = await addDeal(2, { gtin, title: 'Lumo Nova 15 Pro 256 GB Red' });
    expect(await suggestions()).toEqual([pair(one, red, 'gtin-colour')]);
    await database.db
      .updateTable('deals')
      .set({ is_active: false })
      .where('id', '=', one)
      .execute();
    await touch(red);
    expect((await suggestions()).at(-1)).toEqual(pair(two, red, 'gtin-colour'));
  });

  test('never suggests a pair that staff declared different, even if its texts change', async () => {
    const one = await addDeal(0, { gtin });
    const two = await addDeal(1, { gtin, title: 'Lumo Nova 15 Pro 256 GB Red' });
    expect(await suggestions()).toHaveLength(1);
    await dismiss(one, two);
    await touch(two);
    expect(await suggestions()).toEqual([]);
  });

  test('removes a suggestion when the texts no longer support it', async () => {
    await addDeal(0, { title: headphones });
    const two = await addDeal(1, { title: headphones });
    expect(await suggestions()).toHaveLength(1);
    await database.db
      .updateTable('deals')
      .set({ title: 'Garden hose' })
      .where('id', '=', two)
      .execute();
    expect(await suggestions()).toEqual([]);
  });

  test('excludes pairs within one product or its variants', async () => {
    const [one, two] = [await addDeal(0, { gtin }), await addDeal(1, { gtin })];
    await linkDeals(database.db, 'u1', one, two);
    await touch(one);
    expect(await suggestions()).toEqual([]);
  });

  test('suggests a pair again when its deals are restored, and considers only live deals', async () => {
    const [one, two] = [
      await addDeal(0, { title: headphones }),
      await addDeal(1, { title: headphones, is_active: false }),
    ];
    expect(await suggestions()).toEqual([]);
    await database.db.updateTable('deals').set({ is_active: true }).where('id', '=', two).execute();
    expect(await suggestions()).toHaveLength(1);
    const batch = '00000000-0000-4000-8000-000000000001';
    await database.db.transaction().execute(async (tx) => {
      await deleteDeals(tx, { ids: [two], batch, actor: 'test' });
    });
    expect(await suggestions()).toEqual([]);
    await database.db.transaction().execute(async (tx) => {
      await restoreDeals(tx, { ids: [two], batch });
    });
    expect(await suggestions()).toEqual([pair(one, two, 'code')]);
  });

  test('ignores a code that more than 50 deals have', async () => {
    await sql`
      insert into deals (slug, title, sale_price, deal_url, category_id, merchant_id)
        select 'many-' || n, 'Chip RTX4090 card ' || n, 100, 'https://shop.example/', ${category_id}, ${stores[0]}
          from generate_series(1, 51) n`.execute(database.db);
    await addDeal(1, { title: 'Chip RTX4090 card' });
    expect(await suggestions()).toEqual([]);
  });
});

async function touch(id: number): Promise<void> {
  await sql`update deals set title = title || ' ' where id = ${id}`.execute(database.db);
}

async function linkCount(): Promise<number> {
  return (await database.db.selectFrom('product_links').select('id').execute()).length;
}
