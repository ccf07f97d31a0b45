import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { voidPrice } from '#app/features/deals/void-prices.server.ts';
import { insertUser } from '#test/factories/insert.ts';
import { logPrices, plantDeal } from '#test/factories/plant-prices.ts';
import { sealAfter, tamper } from '#test/factories/plant-evidence.ts';
import { restoreBackup, writeBackup } from '#database/backups/backup.ts';
import { openFolderMedia } from '#database/media-store.ts';
import { createTestDatabase, useTestDatabase } from '#test/database.ts';
import { verifyEvidence } from './verify-evidence.ts';
import { verifyLog } from './verify-log.server.ts';
import { readDealEvidence } from './evidence-queries.server.ts';

const database = useTestDatabase();

const sealedDays = async () =>
  (
    await database.pool.query(
      'select day, prices, voids, last_price from evidence_days order by day',
    )
  ).rows;

async function report(dealId: number) {
  const { problems, ...rest } = await verifyEvidence(await readDealEvidence(database.db, dealId));
  return { ...rest, problems };
}
const problemsOf = async (dealId: number) => (await report(dealId)).problems;

test('seals every day since the first price, each with the lines of that day', async () => {
  const { db } = database;
  const deal = await plantDeal(db, [
    { daysAgo: 3, price: 1_000 },
    { daysAgo: 1, price: 900 },
    { daysAgo: 0, price: 800 },
  ]);
  await sealAfter(db, 0);
  expect((await sealedDays()).map(({ prices }) => prices)).toEqual([1, 0, 1]);
  expect(await report(deal)).toMatchObject({ sealed: 2, waiting: 1, problems: [] });
  await sealAfter(db, 1);
  expect((await sealedDays()).map(({ prices }) => prices)).toEqual([1, 0, 1, 1]);
  expect(await report(deal)).toMatchObject({ sealed: 3, waiting: 0, problems: [] });
  expect(await verifyLog(db)).toEqual({ days: 4, leaves: 3, problems: [], notes: [] });
});

test('seals each missed or empty day exactly once', async () => {
  const { db } = database;
  await plantDeal(db, [{ daysAgo: 0, price: 1_000 }]);
  await sealAfter(db, 5);
  await sealAfter(db, 5);
  expect((await sealedDays()).map(({ prices }) => prices)).toEqual([1, 0, 0, 0, 0]);
  expect((await verifyLog(db)).problems).toEqual([]);
});

test('creates one checkpoint per day when several processes seal at once', async () => {
  const { db } = database;
  const deal = await plantDeal(
    db,
    Array.from({ length: 50 }, (_, index) => ({ daysAgo: 5, price: 1_000 + index })),
  );
  await Promise.all([1, 2, 3].map(() => sealAfter(db, 2)));
  expect(await sealedDays()).toHaveLength(7);
  expect(await verifyLog(db)).toMatchObject({ days: 7, leaves: 50, problems: [] });
  expect(await problemsOf(deal)).toEqual([]);
});

test('waits for a transaction that has taken an id and is not committed', async () => {
  const { db } = database;
  const deal = await plantDeal(db, [{ daysAgo: 2, price: 1_000 }]);
  const other = await plantDeal(db, []);
  const writer = new pg.Client({ connectionString: database.url });
  await writer.connect();
  await writer.query('begin');
  await writer.query(
    `insert into price_log (deal_id, at, sale_price, availability, source) values ($1, now() - interval '1 day', 900, 'in_stock', 'demo')`,
    [deal],
  );
  await logPrices(db, other, [{ daysAgo: 1, price: 800 }]);
  const sealing = sealAfter(db, 0);
  await expect
    .poll(async () => (await sealedDays()).length, { timeout: 30_000, interval: 50 })
    .toBe(0);
  await writer.query('commit');
  await writer.end();
  await sealing;
  expect((await verifyLog(db)).leaves).toBe(3);
  expect(await report(deal)).toMatchObject({ sealed: 2, problems: [] });
});

test('proves voids, and keeps all leaves when a person is erased', async () => {
  const { db } = database;
  const deal = await plantDeal(db, [
    { daysAgo: 3, price: 1_000 },
    { daysAgo: 2, price: 100 },
    { daysAgo: 1, price: 900 },
  ]);
  const { id: actor } = await insertUser(db, { role: 'admin' });
  const [line] = (await database.pool.query('select id from price_log where sale_price = 100'))
    .rows;
  await voidPrice(db, { dealId: deal, lineId: line.id, reason: 'A typo', actor });
  await sealAfter(db, 1);
  const before = await report(deal);
  expect(before).toMatchObject({ sealed: 4, problems: [] });
  expect(before.prices.filter(({ isVoided }) => isVoided).map(({ amount }) => amount)).toEqual([
    100,
  ]);
  await database.pool.query('delete from users');
  expect(await report(deal)).toEqual(before);
  expect((await verifyLog(db)).problems).toEqual([]);

  await tamper(db, `update price_voids set reason = 'Another reason'`);
  expect((await verifyLog(db)).problems).toEqual([
    expect.stringMatching(/: void 1 of deal \d+ was changed\.$/),
  ]);
  expect(await problemsOf(deal)).toEqual([
    'Void 1 was changed or inserted after its day was sealed.',
  ]);
  await tamper(db, 'delete from price_voids');
  expect((await verifyLog(db)).problems).toEqual([
    expect.stringMatching(/: void 1 of deal \d+ was removed\.$/),
  ]);
});

async function plantSealed(): Promise<number> {
  const deal = await plantDeal(database.db, [
    { daysAgo: 4, price: 1_000 },
    { daysAgo: 3, price: 900 },
    { daysAgo: 2, price: 800 },
    { daysAgo: 1, price: 850 },
  ]);
  await sealAfter(database.db, 0);
  return deal;
}

test('reports a changed line', async () => {
  const deal = await plantSealed();
  await tamper(database.db, 'update price_log set sale_price = 1200 where id = 2');
  expect((await verifyLog(database.db)).problems).toEqual([
    expect.stringMatching(
      new RegExp(`^\\d{4}-\\d\\d-\\d\\d: price 2 of deal ${deal} was changed\\.$`),
    ),
  ]);
  expect(await problemsOf(deal)).toEqual([
    'Price 2 was changed or inserted after its day was sealed.',
  ]);
});

test('reports a removed line', async () => {
  const deal = await plantSealed();
  await tamper(database.db, 'delete from price_log where id = 3');
  expect((await verifyLog(database.db)).problems).toEqual([
    expect.stringContaining(`price 3 of deal ${deal} was removed.`),
  ]);
  expect(await problemsOf(deal)).toEqual(['Price 3 was removed: price 4 came after it.']);
});

test('reports that the newest line was removed', async () => {
  const deal = await plantSealed();
  await tamper(database.db, 'delete from price_log where id = 4');
  expect((await verifyLog(database.db)).problems).toEqual([
    expect.stringContaining(`price 4 of deal ${deal} was removed.`),
  ]);
  expect(await problemsOf(deal)).toEqual([
    expect.stringMatching(/^The newest price, of \S+, was removed\.$/),
  ]);
});

test('reports a line that was inserted among sealed ones', async () => {
  const { db, pool } = database;
  const deal = await plantDeal(db, [{ daysAgo: 3, price: 1_000 }]);
  await pool.query(`select nextval(pg_get_serial_sequence('price_log', 'id'))`);
  await logPrices(db, deal, [{ daysAgo: 2, price: 900 }]);
  await sealAfter(db, 0);
  for (const id of [2, -5]) {
    await tamper(
      db,
      `insert into price_log (id, deal_id, at, sale_price, availability, source) overriding system value
       values (${id}, ${deal}, now() - interval '60 hours', 500, 'in_stock', 'feed')`,
    );
  }
  expect((await verifyLog(db)).problems).toEqual([
    expect.stringContaining(`price -5 of deal ${deal} was inserted later.`),
    expect.stringContaining(`price 2 of deal ${deal} was inserted later.`),
  ]);
  expect((await problemsOf(deal)).toSorted()).toEqual([
    'Price -5 was changed or inserted after its day was sealed.',
    'Price 2 was changed or inserted after its day was sealed.',
  ]);
});

test('reports a line that was added later with an old date', async () => {
  const deal = await plantSealed();
  await tamper(
    database.db,
    `insert into price_log (deal_id, at, sale_price, availability, source)
     values (${deal}, now() - interval '30 days', 500, 'in_stock', 'feed')`,
  );
  await sealAfter(database.db, 1);
  expect((await verifyLog(database.db)).problems).toEqual([
    expect.stringMatching(new RegExp(`: price 5 of deal ${deal} is dated \\S+\\.$`)),
  ]);
  expect(await problemsOf(deal)).toEqual([
    expect.stringMatching(/^Price 5 is dated \S+, but first appeared on \S+\.$/),
  ]);
});

test('reports the day whose entry was assigned to a deleted deal and removed', async () => {
  const deal = await plantSealed();
  // Assigns the first leaf to a deal that does not exist.
  await tamper(
    database.db,
    `update evidence_days set facts = overlay(facts placing '\\x000000003b9aca00' from 1 for 8)
      where day = (select min(day) from evidence_days);
     delete from price_log where id = (select min(id) from price_log where deal_id = ${deal})`,
  );
  const { problems, notes } = await verifyLog(database.db);
  expect(problems.map((text) => text.slice(12))).toContain(
    'the stored facts of its entries were changed.',
  );
  expect(notes).toEqual([expect.stringContaining('were deleted with their deals')]);
});

test('reports a rewritten day, a removed day and a forged signature', async () => {
  const deal = await plantSealed();
  await tamper(
    database.db,
    `update evidence_days set root = sha256('x') where day = (select min(day) + 1 from evidence_days)`,
  );
  expect((await verifyLog(database.db)).problems.map((text) => text.slice(12))).toEqual([
    'the signature is wrong.',
    'the stored tree was changed.',
    'the chain is broken. The previous day was changed or removed.',
  ]);
  expect(await problemsOf(deal)).toHaveLength(2);
  await tamper(
    database.db,
    'delete from evidence_days where day = (select min(day) + 1 from evidence_days)',
  );
  expect((await verifyLog(database.db)).problems.map((text) => text.slice(12))).toEqual([
    'the chain is broken. The previous day was changed or removed.',
    'the previous day is missing.',
    expect.stringContaining('was inserted later.'),
  ]);
});

test('notes the lines of a deleted deal, and proves them again once it is restored', async () => {
  const { db, pool } = database;
  const deal = await plantDeal(db, [{ daysAgo: 2, price: 1_000 }]);
  await sealAfter(db, 0);
  await logPrices(db, deal, [{ daysAgo: 0, price: 900 }]);
  await pool.query(`select * from delete_deals(array[$1::bigint], gen_random_uuid(), 'cli')`, [
    deal,
  ]);
  await sealAfter(db, 1);
  expect(await verifyLog(db)).toMatchObject({
    problems: [],
    notes: ['2 sealed prices and voids were deleted with their deals.'],
  });
  await pool.query(
    `select restore_deal(snapshot, snapshot #>> '{deals,0,slug}') from deleted_deals`,
  );
  await pool.query('delete from deleted_deals');
  expect(await verifyLog(db)).toMatchObject({ leaves: 2, problems: [], notes: [] });
  expect(await report(deal)).toMatchObject({ sealed: 2, waiting: 0, problems: [] });
});

test('keeps the chain intact when a backup is restored', async () => {
  const { db } = database;
  const deal = await plantSealed();
  const folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-evidence-'));
  const restored = await createTestDatabase();
  const media = openFolderMedia(folder);
  const file = path.join(folder, 'site.backup');
  try {
    await writeBackup(database.pool, { file, media, now: new Date() });
    await sealAfter(db, 3);
    await restoreBackup(restored.pool, { file, media, replace: true });
    expect(await verifyLog(restored.db)).toMatchObject({ days: 4, problems: [] });
    await logPrices(restored.db, deal, [{ daysAgo: 0, price: 700 }]);
    await sealAfter(restored.db, 1);
    expect(await verifyLog(restored.db)).toMatchObject({
      days: 5,
      leaves: 5,
      problems: [],
      notes: [],
    });
    const evidence = await readDealEvidence(restored.db, deal);
    expect(await verifyEvidence(evidence)).toMatchObject({ sealed: 5, problems: [] });
  } finally {
    await restored.close();
    await rm(folder, { recursive: true });
  }
});

test('accepts old lines in the first sealed day, such as those of a deal from the trash', async () => {
  const { db, pool } = database;
  const log = (deal: number, days: number) =>
    pool.query(
      `insert into price_log (deal_id, at, sale_price, availability, source)
       values ($1, now() - $2 * interval '1 day', 500, 'in_stock', 'feed')`,
      [deal, days],
    );
  const old = await plantDeal(db, []);
  const other = await plantDeal(db, []);
  await log(old, 30);
  await log(other, 2);
  await pool.query(`select * from delete_deals(array[$1::bigint], gen_random_uuid(), 'cli')`, [
    old,
  ]);
  await sealAfter(db, 0);
  await pool.query(
    `select restore_deal(snapshot, snapshot #>> '{deals,0,slug}') from deleted_deals`,
  );
  await pool.query('delete from deleted_deals');
  expect(await verifyLog(db)).toMatchObject({ leaves: 2, problems: [], notes: [] });
  expect(await report(old)).toMatchObject({ sealed: 1, problems: [] });
});

test('seals a deleted deal’s prices as a restore returns them, even if stored without a currency', async () => {
  const { db, pool } = database;
  const deal = await plantDeal(db, [{ daysAgo: 3, price: 1_000 }]);
  await plantDeal(db, [{ daysAgo: 2, price: 900 }]);
  await pool.query(`select * from delete_deals(array[$1::bigint], gen_random_uuid(), 'cli')`, [
    deal,
  ]);
  await pool.query(
    `update deleted_deals set snapshot = snapshot #- '{price_log,0,currency}' #- '{deals,0,currency}'`,
  );
  await sealAfter(db, 0);
  await pool.query(
    `select restore_deal(snapshot, snapshot #>> '{deals,0,slug}') from deleted_deals`,
  );
  await pool.query('delete from deleted_deals');
  expect(await verifyLog(db)).toMatchObject({ leaves: 2, problems: [], notes: [] });
  expect(await report(deal)).toMatchObject({ sealed: 1, problems: [] });
});

test('seals the log after its sequence was restarted, as partitioning does', async () => {
  const { db, pool } = database;
  await plantDeal(db, [{ daysAgo: 2, price: 1_000 }]);
  await pool.query('alter table price_log alter id restart with 2');
  await sealAfter(db, 0);
  expect(await verifyLog(db)).toMatchObject({ leaves: 1, problems: [] });
});
