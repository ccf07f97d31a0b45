import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { insertCategory, insertMerchant } from '#test/factories/insert.ts';
import { orderOf, readLive } from './deal-orders.server.ts';
import { listOnce } from './list-products-once.server.ts';

const database = useTestDatabase();

test('sorts a category by price per unit without reading all its deals', async () => {
  const { db } = database;
  const [food, sheets] = [await insertCategory(db), await insertCategory(db)];
  const merchant = await insertMerchant(db);
  await sql`
    insert into deals (title, slug, sale_price, deal_url, merchant_id, category_id, price_checked_at, net_contents)
    select 'Deal ' || n, 'deal-' || n, 100 + n, 'https://shop.example/' || n, ${merchant.id}::bigint,
           case when n <= 1000 then ${sheets.id}::bigint else ${food.id}::bigint end, now(),
           case when n <= 1000 then '10 ct' else '500 g' end
      from generate_series(1, 3000) n`.execute(db);
  await sql`analyze deals`.execute(db);
  await db.transaction().execute(async (tx) => {
    const countRead = async () => {
      const { rows } = await sql<{ read: number }>`
        select (seq_tup_read + idx_tup_fetch)::int as read
          from pg_stat_xact_user_tables where relname = 'deals'`.execute(tx);
      return rows[0]?.read ?? 0;
    };
    const before = await countRead();
    const order = orderOf('unit_price', 'checked');
    const read = (most: number) => readLive({ categoryId: sheets.id }, order, most);
    expect((await listOnce(tx, read, { limit: 24 })).ids).toHaveLength(24);
    expect((await countRead()) - before).toBeLessThan(100);
  });
});
