import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import { ask } from '#database/ask.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import {
  findProductRequest,
  listProductRequests,
  storeProductRequest,
} from './product-requests.server.ts';

const database = useTestDatabase();
const url = 'https://shop.example/product.php?id=5';
const request = (by: string, asked = url, marks = [by]) =>
  storeProductRequest(database.db, { url: asked, title: 'Lamp' }, { mark: by, marks });
const listed = async () =>
  (await listProductRequests(database.db, 100)).map((one) => [one.url, one.visitors]);
const stored = () => ask(database.db).value<number>`select count(*) from product_requests`;

test('counts a visitor’s repeated product requests once, even across a salt change, and lists the most requested product first', async () => {
  await request('a', 'https://shop.example/other');
  for (const by of ['a', 'a', 'b']) await request(by);
  await request('c', url, ['b', 'c']);
  expect(await listed()).toEqual([
    [url, 2],
    ['https://shop.example/other', 1],
  ]);
});

test('finds a live deal that now has the requested link, but no other deal with the same page', async () => {
  await request('a');
  const id = (await ask(database.db).value<number>`select id from product_requests`) ?? 0;
  const find = async () => (await findProductRequest(database.db, id))?.dealId;
  for (const other of [6, 55]) {
    await insertDeal(database.db, { deal_url: `https://shop.example/product.php?id=${other}` });
  }
  await insertDeal(database.db, { deal_url: url, is_active: false });
  expect(await find()).toBe(null);
  const deal_url = 'http://www.shop.example/product.php?id=5&ref=feed';
  const deal = await insertDeal(database.db, { deal_url });
  expect(await find()).toBe(deal.id);
  expect(await findProductRequest(database.db, id + 1)).toBe(null);
});

test('keeps at most 1,000 product requests, and drops dismissed ones and those with the fewest visitors first', async () => {
  await ask(database.db).rows`
    insert into product_requests (url, title, visitors, dismissed_at)
    select 'https://shop.example/' || n, '', case when n <= 50 then 9 else 1 + (n > 900)::int end,
           case when n <= 50 then now() end
      from generate_series(1, 1000) n`;
  await request('a', 'https://shop.example/999');
  expect(await stored()).toBe(1_000);
  await request('a');
  expect(await stored()).toBe(901);
  const left = ask(database.db).value<number>`
    select count(*) from product_requests where dismissed_at is not null or visitors = 1`;
  expect(await left).toBe(801);
});

test('forgets visitors after 14 days and their product requests after 90', async () => {
  await request('a');
  const age = (table: string, days: number) =>
    sql`update ${sql.table(table)} set requested_at = now() - ${`${days} days`}::interval`.execute(
      database.db,
    );
  await age('product_request_visitors', 15);
  await age('product_requests', 89);
  await forgetOldRows(database.db, 'forget-spent-attempts');
  expect(await listed()).toEqual([[url, 1]]);
  expect(await database.db.selectFrom('product_request_visitors').selectAll().execute()).toEqual(
    [],
  );
  await age('product_requests', 91);
  await forgetOldRows(database.db, 'forget-spent-attempts');
  expect(await stored()).toBe(0);
});
