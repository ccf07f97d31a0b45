import { expect, it } from 'vitest';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { useOwner } from '#test/run-deals.ts';

const database = useTestDatabase();
const { deals } = useOwner(database);

it('matches, merges and splits products, and undoes each action', async () => {
  const { db } = database;
  const stores = [];
  for (let n = 0; n < 2; n++) stores.push(await insertMerchant(db, { matches_freely: true }));
  const ids: number[] = [];
  for (const gtin of ['4006381333931', '4006381333948']) {
    for (const { id } of stores) {
      ids.push((await insertDeal(db, { merchant_id: id, gtin, title: 'Lumo Nova 15' })).id);
    }
  }
  const products = async () =>
    (await db.selectFrom('deals').select('product_id').orderBy('id').execute()).map(
      ({ product_id }) => product_id,
    );
  await db.deleteFrom('match_checks').execute();
  expect((await deals('products', 'match')).out).toContain('0 deals are offers of products');
  expect((await deals('products', 'match', '--all')).out).toContain('4 deals are offers');
  const [one, , two] = await products();
  const merged = await deals('products', 'merge', '4006381333948', String(one));
  expect(merged.out).toContain('Merged into /products/lumo-nova-15-4006381333931.');
  expect(await products()).toEqual([one, one, one, one]);
  const act = /undo (\d+)/.exec(merged.out)?.[1] ?? '';
  expect((await deals('products', 'undo', act)).code).toBe(0);
  expect(await products()).toEqual([one, one, two, two]);
  expect((await deals('products', 'undo', act)).code).toBe(1);
  expect((await deals('products', 'split', String(ids[3]))).out).toContain('is on its own');
  expect(await products()).toEqual([one, one, two, null]);
  expect((await deals('products', 'merge', 'nothing', String(one))).code).toBe(1);
});
