import { expect, test } from 'vitest';
import { deleteDeals, restoreDeals } from '#app/features/deals/delete-deals.server.ts';
import { ask } from '#database/ask.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertDeal, insertMerchant, insertProduct } from '#test/factories/insert.ts';
import { waitForLock } from '#test/wait-for-lock.ts';
import { mergeProducts } from './merge-products.server.ts';
import { undoAct } from './undo-product-act.server.ts';

const database = useTestDatabase();

const newestAct = async () =>
  (await ask(database.db).value<number>`select max(id) from product_acts`) ?? 0;

test('does not redo a merge into a product that has since been merged into the first one', async () => {
  const { db } = database;
  const [one = 0, other = 0] = await ask(db).column<number>`
    insert into products (slug, title) values ('one', 'One'), ('other', 'Other') returning id`;
  const merge = (await mergeProducts(db, 'u1', one, other)) ?? 0;
  expect(await undoAct(db, 'u1', merge)).toBe('done');
  const undo = await newestAct();
  expect(await mergeProducts(db, 'u1', other, one)).not.toBeNull();
  expect(await undoAct(db, 'u1', undo)).toBe('changed');
});

test('merges the offers of deals that are being restored', async () => {
  const { db } = database;
  const [from, into] = [
    await insertProduct(db, { slug: 'one' }),
    await insertProduct(db, { slug: 'other', gtin: '4006381333948' }),
  ];
  const merchant_id = (await insertMerchant(db)).id;
  const { id } = await insertDeal(db, { merchant_id, gtin: from.gtin, product_id: from.id });
  const batch = '00000000-0000-4000-8000-000000000004';
  await db.transaction().execute((tx) => deleteDeals(tx, { ids: [id], batch, actor: 'u1' }));
  let merging: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (tx) => {
    await restoreDeals(tx, { ids: [id], batch });
    merging = mergeProducts(db, 'u1', from.id, into.id);
    await Promise.race([merging, waitForLock(db)]);
  });
  await merging;
  expect(await ask(db).column`select product_id from deals`).toEqual([into.id]);
});
