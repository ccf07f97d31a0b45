import { expect, test } from 'vitest';
import { sealAfter, tamper } from '#test/factories/plant-evidence.ts';
import { plantDeal } from '#test/factories/plant-prices.ts';
import { useTestDatabase } from '#test/database.ts';
import { readDealEvidence } from './evidence-queries.server.ts';
import { verifyEvidence } from './verify-evidence.ts';
import { verifyLog } from './verify-log.server.ts';

const database = useTestDatabase();

test('seals 100,000 prices with a full trash, and verifies a day’s last price by seven hashes', async () => {
  const { db } = database;
  const many = await plantDeal(db, []);
  const one = await plantDeal(db, []);
  const gone = await plantDeal(db, []);
  for (const [deal, count] of [
    [many, 30_000],
    [gone, 1],
    [many, 70_000],
    [one, 1],
  ]) {
    await tamper(
      db,
      `insert into price_log (deal_id, at, sale_price, availability, source)
         select ${deal}, date_trunc('day', now(), 'UTC') - interval '1 day' + n * interval '1 ms', 1000 + n, 'in_stock', 'feed'
           from generate_series(1, ${count}) n`,
    );
  }
  await database.pool.query(
    `select delete_deals(array[${gone}::bigint], gen_random_uuid(), 'cli')`,
  );
  await database.pool.query(
    `insert into deleted_deals (batch, deal_id, deleted_by, name, snapshot)
     select gen_random_uuid(), 1000 + n, 'cli', 'Lamp', jsonb_build_object('price_log', lines)
       from generate_series(1, 5000) n,
            (select jsonb_agg(jsonb_build_object('id', 1000000 + m)) as lines from generate_series(1, 30) m) kept`,
  );
  await sealAfter(db, 1);
  const evidence = await readDealEvidence(db, one);
  expect(evidence.entries.map(({ path }) => path.length)).toEqual([7]);
  expect(await verifyEvidence(evidence)).toMatchObject({ sealed: 1, problems: [] });
  // The evidence is limited to the newest 1,000 proofs.
  const newest = await readDealEvidence(db, many);
  expect([newest.is_complete, newest.entries.length]).toEqual([false, 1_000]);
  expect(await verifyEvidence(newest)).toMatchObject({ sealed: 1_000, problems: [] });
  expect(await verifyLog(db)).toMatchObject({ leaves: 100_002, problems: [] });
});
