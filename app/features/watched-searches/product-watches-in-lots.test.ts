import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { insertDeal, insertProduct } from '#test/factories/insert.ts';
import { useMailWorkers } from '#test/mail-worker-processes.ts';
import { useTestDatabase } from '#test/database.ts';
import { ask } from '#database/ask.ts';
import { checkProductsOnce, spreadLowsOnce } from './match-searches.server.ts';

const database = useTestDatabase();
const processes = useMailWorkers(database, 'notify-of-searches-until-killed.ts');

/** Creates watches of a product with one deal, each by another user, and some for a lower price. */
async function watch(count: number): Promise<number> {
  const product = await insertProduct(database.db);
  const offer = { gtin: product.gtin, product_id: product.id, shipping_cost: 0 };
  const deal = await insertDeal(database.db, { ...offer, sale_price: 10_000 });
  await sql`
    insert into users (id, email, email_verified)
      select 'watcher-' || n, 'watcher-' || n || '@mail.example', true from generate_series(1, ${count}::int) n`.execute(
    database.db,
  );
  await sql`
    insert into watched_searches (user_id, address, name, product_id, offer_class, with_shipping, max_price, cadence)
      select 'watcher-' || n, '/products/pen', 'Pen', ${product.id}, 'new', true, case n % 3 when 0 then 1 else 9999 end, 'at_once'
        from generate_series(1, ${count}::int) n`.execute(database.db);
  await settle();
  return deal.id;
}
async function settle(): Promise<void> {
  while (await checkProductsOnce(database.db));
  while (await spreadLowsOnce(database.db));
}
const setPrice = (id: number, sale_price: number) =>
  database.db.updateTable('deals').set({ sale_price }).where('id', '=', id).execute();
const newestLow = () =>
  ask(database.db).value<number>`select total from product_lows order by id desc limit 1`;
const waiting = () =>
  ask(database.db).value<number>`select sum(waiting)::integer from watched_searches`;

test('notifies one batch of watches at a time, and reports a later price to the remaining watches', async () => {
  const deal = await watch(9);
  await setPrice(deal, 8_000);
  await checkProductsOnce(database.db);
  await sql`select spread_lows(4)`.execute(database.db);
  expect(await waiting()).toBe(3);
  await setPrice(deal, 9_000);
  await settle();
  expect(await waiting()).toBe(6);
  const told = await ask(database.db).rows<{ total: number; former: number; count: number }>`
    select l.total, l.former, count(*)::integer as count
      from watched_searches s join product_lows l on l.id = s.told_low group by 1, 2 order by 1`;
  expect(told).toEqual([
    { total: 8_000, former: 10_000, count: 3 },
    { total: 9_000, former: 10_000, count: 3 },
  ]);
});

test('reads the watches of a product through an index', async () => {
  await watch(30);
  await sql`
    insert into watched_searches (user_id, address, name, cadence)
      select 'watcher-1', '/deals?n=' || n, 'Deals', 'daily' from generate_series(1, 3000) n`.execute(
    database.db,
  );
  await sql`analyze watched_searches`.execute(database.db);
  const plan = await ask(database.db).rows`
    explain select id from watched_searches
      where product_id = 1 and offer_class = 'new' and with_shipping and id > 5 order by id limit 20`;
  expect(JSON.stringify(plan)).toMatch(/Index (Only )?Scan using watched_searches_product/);
});

test('notifies each watch once when processes are killed within and between batches', async () => {
  const deal = await watch(60);
  const children = [await processes.start(1), await processes.start(1)];
  for (let n = 0; n < 10; n += 1) {
    const price = 9_900 - n * 100;
    await setPrice(deal, price);
    await expect.poll(newestLow, { timeout: 30_000, interval: 5 }).toBe(price);
    const victim = children.shift();
    if (victim) await processes.kill(victim);
    children.push(await processes.start(1));
  }
  await processes.killAll();
  await settle();
  expect(await waiting()).toBe(40);
  const totals = await ask(database.db).column<number>`
    select distinct l.total from watched_searches s join product_lows l on l.id = s.told_low where s.max_price > 1`;
  expect(totals).toEqual([9_000]);
});
