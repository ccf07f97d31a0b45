import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import { ask } from '#database/ask.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { listProductRequests, storeProductRequest } from './product-requests.server.ts';

const database = useTestDatabase();
const url = 'https://shop.example/product.php?id=5';
const request = (by: string, asked = url, marks = [by]) =>
  storeProductRequest(database.db, { url: asked, title: 'Lamp' }, { mark: by, marks });
const listed = async () =>
  (await listProductRequests(database.db, 100)).map((one) => [one.url, one.visitors]);
const stored = () => ask(database.db).value<number>`select count(*) from product_requests`;

test('counts a visitor once, also under the mark of the last two weeks, the most asked first', async () => {
  await request('a', 'https://shop.example/other');
  for (const by of ['a', 'a', 'b']) await request(by);
  await request('c', url, ['b', 'c']);
  expect(await listed()).toEqual([
    [url, 2],
    ['https://shop.example/other', 1],
  ]);
});

test('does not list a product that has a live deal', async () => {
  const long = `https://shop.example/${'lamp-'.repeat(20)}`;
  for (const asked of [url, 'https://shop.example/p/1/', `${long}1`]) await request('a', asked);
  const deal = (deal_url: string) => insertDeal(database.db, { deal_url });
  await deal('https://shop.example/product.php?id=6');
  await deal(`${long}2`);
  await insertDeal(database.db, { deal_url: url, is_active: false });
  expect(await listed()).toHaveLength(3);
  await deal('http://www.shop.example/product.php?id=5&ref=feed');
  await deal('https://shop.example/p/1');
  expect(await listed()).toEqual([[`${long}1`, 1]]);
});

test('keeps 1,000 requests, and drops dismissed ones and those of fewest visitors first', async () => {
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

test('forgets visitors after 14 days and requests after 90', async () => {
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
