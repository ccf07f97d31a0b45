import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type Db, sessionsOf } from '#database/connect.ts';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import type { FeedRow } from '../formats/feed-fields.ts';
import { insertMerchant as addMerchant } from './import-queries.server.ts';
import { startRun } from './import-run-queries.server.ts';
import { type ImportBatch, type ImportStep, nothingSoFar } from './import-steps.ts';
import { planImport, previewPlan } from './plan-import.server.ts';
import { stageFeed } from './stage-feed.server.ts';
import { createStage } from './stage-rows.server.ts';
import { takeStep } from './store-progress.server.ts';
import { endMissing, writePlan } from './write-plan.server.ts';

// Tests each part of an import separately, by its input and output values.

const database = useTestDatabase();

function inSession<T>(work: (session: Db) => Promise<T>): Promise<T> {
  return sessionsOf(database.db).connection().execute(work);
}

function rowOf(id: string, price: string, texts: FeedRow['values'] = {}): FeedRow {
  const deal_url = `https://shop.example/${id}`;
  return {
    line: Number(id),
    values: { external_id: id, title: `Pot ${id}`, deal_url, sale_price: price, ...texts },
  };
}

async function stage(session: Db, rows: FeedRow[]): Promise<ImportStep[]> {
  async function* feed() {
    yield* rows;
  }
  await createStage(session);
  return Array.fromAsync(
    stageFeed(session, { rows: feed(), bytesRead: () => 77 }, { category: 'Home' }),
  );
}

/** Returns all steps of a part, and its result. */
async function all<Result>(
  part: AsyncGenerator<ImportStep | ImportBatch, Result>,
): Promise<{ steps: (ImportStep | ImportBatch)[]; result: Result }> {
  const steps: (ImportStep | ImportBatch)[] = [];
  for (;;) {
    const { done, value } = await part.next();
    if (done) return { steps, result: value };
    steps.push(value);
  }
}

async function aTarget() {
  const merchant = await insertMerchant(database.db);
  const runId = await startRun(database.db, {
    merchant_id: merchant.id,
    feed_source_id: null,
    source_name: 'feed.csv',
    format: 'csv',
    started_by: null,
  });
  return {
    runId,
    merchantId: merchant.id,
    currency: 'USD',
    priceSource: 'import',
    sourceId: null,
  } as const;
}

function runRow(id: number) {
  return database.db
    .selectFrom('import_runs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

test('stage: stores a feed’s rows and reports their problems', async () => {
  await inSession(async (session) => {
    const steps = await stage(session, [rowOf('1', '9'), rowOf('2', 'ask'), rowOf('3', '7')]);
    expect(steps).toMatchObject([
      { counts: { read: 3, rejected: 1 }, issues: [{ line: 2 }], bytesRead: 77, mayStop: true },
    ]);
    const { rows } = await sql`
      select external_id, sale_price, new_category from pg_temp.import_rows order by n`.execute(
      session,
    );
    expect(rows).toEqual([
      { external_id: '1', sale_price: 900, new_category: 'Home' },
      { external_id: '3', sale_price: 700, new_category: 'Home' },
    ]);
  });
  expect(await database.db.selectFrom('deals').select('id').execute()).toEqual([]);
});

test('stage: decides how to read ambiguous prices after the last row', async () => {
  await inSession(async (session) => {
    const steps = await stage(session, [rowOf('1', '1,299'), rowOf('2', 'ask'), rowOf('3', '7,5')]);
    expect(steps).toMatchObject([
      { counts: { read: 3, rejected: 1 }, issues: [{ line: 2 }] },
      { counts: { read: 0, rejected: 0 }, issues: [] },
    ]);
    const { rows } = await sql`
      select n, external_id, sale_price from pg_temp.import_rows order by n`.execute(session);
    expect(rows).toEqual([
      { n: 1, external_id: '1', sale_price: 130 },
      { n: 3, external_id: '3', sale_price: 750 },
    ]);
  });
});

test('stage: does not count a deal as missing if its price remains ambiguous', async () => {
  await inSession(async (session) => {
    const feed = [rowOf('1', '1,299'), rowOf('2', '7.5'), rowOf('3', '7,5')];
    const steps = await stage(session, feed);
    expect(steps.at(-1)).toMatchObject({
      counts: { rejected: 1 },
      issues: [{ kind: 'rejected', line: 1, reason: expect.stringContaining('decimal mark') }],
    });
    const { rows } = await sql`select external_id from pg_temp.import_refused`.execute(session);
    expect(rows).toEqual([{ external_id: '1' }]);
  });
});

test('plan: keeps a new deal as a draft when its old price is implausible', async () => {
  const target = await aTarget();
  const known = { merchant_id: target.merchantId, sale_price: 500, original_price: 900 };
  await insertDeal(database.db, { ...known, external_id: '2', title: 'Pot 2' });
  const odd = (id: string) => {
    const row = rowOf(id, '5');
    return { ...row, values: { ...row.values, original_price: '9999999.00' } };
  };
  await inSession(async (session) => {
    await stage(session, [odd('1'), odd('2'), rowOf('3', '5')]);
    const { result: plan } = await all(planImport(session, target.merchantId, null));
    expect(plan).toMatchObject({ new: 1, held: 1, rows: 3 });
    const held = [{ kind: 'held', line: 1, external_id: '1' }];
    expect(await previewPlan(session, plan)).toMatchObject({
      counts: { new: 1, held: 1 },
      issues: held,
    });
    let soFar = nothingSoFar(0);
    const listeners = { runId: target.runId, onProgress: () => {} };
    for await (const step of writePlan(session, plan, target, 10)) {
      soFar = await takeStep(session, listeners, soFar, step);
    }
    expect(soFar).toMatchObject({ counts: { new: 1, held: 1 }, issues: held });
    const deals = session.selectFrom('deals').orderBy('external_id');
    expect(
      await deals.select(['external_id', 'original_price', 'is_active']).execute(),
    ).toMatchObject([
      { external_id: '1', original_price: null, is_active: false },
      { external_id: '2', original_price: 900, is_active: true },
      { external_id: '3', original_price: null, is_active: true },
    ]);
  });
});

test('plan: decides and reports all changes before anything is written', async () => {
  const { merchantId } = await aTarget();
  const known = { merchant_id: merchantId, sale_price: 900, deal_url: 'https://shop.example/2' };
  await insertDeal(database.db, { ...known, external_id: '2', title: 'Pot 2' });
  await inSession(async (session) => {
    await stage(session, [rowOf('1', '9'), rowOf('2', '0.50'), rowOf('1', '8')]);
    const { steps, result: plan } = await all(planImport(session, merchantId, null));
    expect(plan).toMatchObject({ new: 1, held: 1, rows: 2, ending: 0, endsMany: false });
    expect(steps.at(-1)).toMatchObject({ counts: { rejected: 1 }, rowsTotal: 2, mayStop: true });
    expect(await previewPlan(session, plan)).toMatchObject({
      counts: { new: 1, held: 1, ended: 0 },
      issues: [{ kind: 'held', line: 2 }],
      preview: [{ before: 900, after: 50, is_held: true }],
    });
  });
});

test('write: waits for each batch to be consumed, and cannot stop after the last', async () => {
  await insertCategory(database.db, { name: 'Home', slug: 'home' });
  const target = await aTarget();
  await inSession(async (session) => {
    await stage(session, [rowOf('1', '9'), rowOf('2', '8'), rowOf('3', '7')]);
    const { result: plan } = await all(planImport(session, target.merchantId, null));
    const { steps } = await all(writePlan(session, plan, target, 2));
    expect(await session.selectFrom('deals').select('id').execute()).toEqual([]);
    const listeners = { runId: target.runId, onProgress: () => {} };
    let soFar = nothingSoFar(0);
    const stops: boolean[] = [];
    for (const step of steps) {
      soFar = await takeStep(session, listeners, soFar, step);
      if (soFar.rowsDone > 0) stops.push(soFar.mayStop);
    }
    expect(stops).toEqual([true, false, false]);
    expect(soFar).toMatchObject({ phase: 'writing', counts: { new: 3 }, rowsDone: 3 });
    expect(
      (await all(endMissing(plan, target, { endsMissing: true, mayEndMany: true, batchSize: 2 })))
        .steps,
    ).toEqual([]);
  });
  expect(await runRow(target.runId)).toMatchObject({ rows_new: 3, rows_done: 3 });
});

test('write: creates the same search data for new deals as the database’s triggers', async () => {
  await insertCategory(database.db, { name: 'Home', slug: 'home' });
  const target = await aTarget();
  const { merchantId: merchant_id } = target;
  const gone = await insertDeal(database.db, { merchant_id, external_id: '5', title: 'Größe 5' });
  await inSession(async (session) => {
    await stage(session, [
      rowOf('1', '9', {
        title: 'Señora Ibáñez',
        description: '<p>Œuvre “complète” – мои наушники</p>',
      }),
      rowOf('2', '9', { title: 'Cast-Iron POT', description: 'Plain WORDS only' }),
      rowOf('3', '9', { title: 'ワイヤレスイヤホン', description: '' }),
      rowOf('4', '9', { title: 'Łódź lamp', description: 'for Łódź' }),
      rowOf('5', '9', { title: 'Größe 5', description: 'ΟΔΟΣ' }),
    ]);
    const { result: plan } = await all(planImport(session, merchant_id, null));
    // Both changes are made after the plan.
    await insertDeal(session, { merchant_id, external_id: '4', title: 'Old lamp' });
    await session.deleteFrom('deals').where('id', '=', gone.id).execute();
    const listeners = { runId: target.runId, onProgress: () => {} };
    let soFar = nothingSoFar(0);
    for (const step of (await all(writePlan(session, plan, target, 2))).steps) {
      soFar = await takeStep(session, listeners, soFar, step);
    }
    expect(soFar.counts).toMatchObject({ new: 4, changed: 1 });
  });
  const { rows } = await sql`
    select d.external_id, t.title, t.title = fold(d.title) and t.search = deal_words(d.title, d.description)
             and t.brand is not distinct from fold(d.brand) as is_same
      from deals d left join deal_texts t on t.deal_id = d.id order by 1`.execute(database.db);
  expect(rows).toEqual(
    ['senora ibanez', 'cast-iron pot', 'ワイヤレスイヤホン', 'lodz lamp', 'grosse 5'].map(
      (title, index) => ({
        external_id: String(index + 1),
        title,
        is_same: true,
      }),
    ),
  );
});

test('tell: counts a batch once, even after a conflict anywhere in it', async () => {
  const { runId } = await aTarget();
  let attempts = 0;
  const write = async (tx: Db): Promise<ImportStep> => {
    attempts++;
    await sql`create table if not exists once (n int)`.execute(tx);
    // Fails on commit, after everything was counted.
    if (attempts === 1) {
      await sql`create function refuse_once() returns trigger language plpgsql as
        $$ begin raise exception 'conflict' using errcode = '40001'; end $$`.execute(tx);
      await sql`create constraint trigger refuse_once after insert on once deferrable initially deferred
        for each row execute function refuse_once()`.execute(tx);
    }
    await sql`insert into once values (1)`.execute(tx);
    return {
      counts: { ended: 2 },
      issues: [{ kind: 'note', line: 1, external_id: null, reason: 'so' }],
    };
  };
  const before = { ...nothingSoFar(0), counts: { ...nothingSoFar(0).counts, ended: 5 } };
  const after = await takeStep(database.db, { runId, onProgress: () => {} }, before, { write });
  expect(attempts).toBe(2);
  expect(after).toMatchObject({ counts: { ended: 7 }, issueCount: 1 });
  expect(await runRow(runId)).toMatchObject({ rows_ended: 7 });
  const issues = await database.db.selectFrom('import_issues').select('reason').execute();
  expect(issues).toHaveLength(1);
});

test('tell: returns whether a stop was requested', async () => {
  const { runId } = await aTarget();
  const take = () =>
    takeStep(database.db, { runId, onProgress: () => {} }, nothingSoFar(0), { mayStop: true });
  expect(await take()).toMatchObject({ isCancelled: false, mayStop: true });
  await database.db.updateTable('import_runs').set({ wants_cancel: true }).execute();
  expect(await take()).toMatchObject({ isCancelled: true, mayStop: true });
});

test('does not reuse a former slug whose links redirect to another merchant', async () => {
  const { db } = database;
  const old = await insertMerchant(db, { name: 'Łódź', slug: 'lodz' });
  await db.updateTable('merchants').set({ slug: 'lodz-shop' }).where('id', '=', old.id).execute();
  const slugOf = async (id: number) =>
    (await db.selectFrom('merchants').select('slug').where('id', '=', id).executeTakeFirst())?.slug;
  expect(await slugOf(await addMerchant(db, 'Lódź'))).toBe('lodz-2');
  expect(await slugOf(await addMerchant(db, 'ŁÓDŹ Москва'))).toBe('lodz-moskva');
});
