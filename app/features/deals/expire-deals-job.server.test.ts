import { expect, it } from 'vitest';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { expireDeals } from '#app/features/deals/expire-deals-job.server.ts';

const database = useTestDatabase();

/** Inserts deals that were live when written and have become due. */
async function insertOverdueDeals(count: number): Promise<void> {
  const category = await insertCategory(database.db);
  const merchant = await insertMerchant(database.db);
  for (let n = 0; n < count; n++) {
    const expires_at = new Date(Date.now() + 3_600_000);
    await insertDeal(database.db, {
      category_id: category.id,
      merchant_id: merchant.id,
      expires_at,
    });
  }
  // Disables the trigger that compares the clock, so that only the rows' times move into the past.
  await database.pool.query(`
    alter table deals disable trigger deals_before_write;
    update deals set expires_at = now() - interval '1 second';
    alter table deals enable trigger deals_before_write`);
}

const countLive = () =>
  database.pool
    .query('select count(*) as n from deals where not is_expired')
    .then(({ rows }) => rows[0].n as number);

it('marks any number of due deals as expired, and recounts the lists', async () => {
  await insertOverdueDeals(520);
  await insertDeal(database.db, { expires_at: new Date(Date.now() + 3_600_000) });
  await insertDeal(database.db, { expires_at: null });
  expect(await countLive()).toBe(522);
  await expireDeals(database.db);
  expect(await countLive()).toBe(2);
  const { rows } = await database.pool.query(
    "select value from site_counters where name = 'live_deals'",
  );
  expect(rows[0].value).toBe(2);
});

it('shares the expiry of deals with another process without waiting for it', async () => {
  await insertOverdueDeals(4);
  const holder = await database.pool.connect();
  await holder.query('begin; select id from deals order by id limit 2 for update');
  await expireDeals(database.db);
  expect(await countLive()).toBe(2);
  await holder.query('commit');
  holder.release();
  await expireDeals(database.db);
  expect(await countLive()).toBe(0);
});
