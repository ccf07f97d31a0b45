import { beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { feedSourceInput } from '../sources/feed-source-input.ts';
import { cancelImport, queueDueImports, queueImport } from './queue-import.server.ts';
import { saveFeedSource } from '../sources/save-feed-source.server.ts';

const database = useTestDatabase();
beforeEach(() => insertMerchant(database.db, { name: 'Shop' }));

let made = 0;
async function source(overrides: Record<string, string> = {}): Promise<number> {
  made += 1;
  const input = feedSourceInput.parse({
    merchant: 'Shop',
    name: `Feed ${made}`,
    kind: 'url',
    location: `https://feeds.example/${made}.csv`,
    format: 'auto',
    schedule_minutes: '60',
    is_active: 'on',
    ...overrides,
  });
  return (await saveFeedSource(database.db, 'u1', input)) ?? 0;
}

const makeDue = (secondsAgo = 1) =>
  sql`update feed_sources set next_run_at = now() - make_interval(secs => ${secondsAgo})`.execute(
    database.db,
  );
const runs = () =>
  database.db
    .selectFrom('import_runs')
    .select(['id', 'feed_source_id', 'state', 'started_by'])
    .orderBy('id')
    .execute();
const minutesLeft = async () => {
  const { rows } = await sql<{ id: number; minutes: number | null }>`
    select id, extract(epoch from next_run_at - now())::float / 60 as minutes from feed_sources order by id`.execute(
    database.db,
  );
  return rows;
};

describe('the schedule of sources', () => {
  test('spreads the next runs of sources over a tenth of the interval', async () => {
    for (let n = 0; n < 30; n += 1) await source();
    for (const minutes of [await minutesLeft(), await afterRunning()]) {
      const left = minutes.map((row) => row.minutes ?? 0);
      expect(Math.min(...left)).toBeGreaterThan(56.9);
      expect(Math.max(...left)).toBeLessThan(63.1);
      // Thirty random draws are very unlikely to fall within one fifth of the range.
      expect(Math.max(...left) - Math.min(...left)).toBeGreaterThan(1.2);
    }

    async function afterRunning() {
      await makeDue();
      expect(await queueDueImports(database.db)).toHaveLength(30);
      return minutesLeft();
    }
  });

  test('skips sources that are paused, unscheduled or not due', async () => {
    const due = await source();
    await source({ is_active: '' });
    await source({ schedule_minutes: '' });
    await makeDue();
    const later = await source();
    await queueDueImports(database.db);
    expect(await runs()).toMatchObject([
      { feed_source_id: due, state: 'queued', started_by: 'system' },
    ]);
    const left = await minutesLeft();
    expect(left.find(({ id }) => id === later)?.minutes).toBeGreaterThan(50);
  });

  test('assigns each source to one of several parallel processes', async () => {
    const ids = [await source(), await source(), await source()];
    await makeDue();
    const found = await Promise.all(Array.from({ length: 6 }, () => queueDueImports(database.db)));
    expect(found.flat()).toHaveLength(3);
    expect(new Set((await runs()).map((run) => run.feed_source_id))).toEqual(new Set(ids));
  });

  test('does not start a second run of a source before the current one has ended', async () => {
    const id = await source();
    const first = await queueImport(database.db, { sourceId: id, actor: 'u1' });
    for (const state of ['queued', 'running'] as const) {
      await database.db.updateTable('import_runs').set({ state }).execute();
      await makeDue();
      expect(await queueDueImports(database.db)).toEqual([first]);
      expect(await runs()).toHaveLength(1);
    }
    await database.db.updateTable('import_runs').set({ state: 'failed' }).execute();
    await makeDue();
    await queueDueImports(database.db);
    expect((await runs()).map(({ state }) => state)).toEqual(['failed', 'queued']);
  });

  test('runs a source independently of its waiting dry run', async () => {
    const id = await source();
    const dryRun = await queueImport(database.db, { sourceId: id, actor: 'u1', isDryRun: true });
    const real = await queueImport(database.db, { sourceId: id, actor: 'u1' });
    expect(real).not.toBe(dryRun);
    expect(await queueImport(database.db, { sourceId: id, actor: 'u2', isDryRun: true })).toBe(
      dryRun,
    );
    expect(await runs()).toHaveLength(2);
  });

  test('runs a source that was due for days only once', async () => {
    await source();
    await makeDue(3 * 86_400);
    expect(await queueDueImports(database.db)).toHaveLength(1);
    expect(await queueDueImports(database.db)).toEqual([]);
    expect((await minutesLeft())[0]?.minutes).toBeGreaterThan(50);
  });

  test('neither creates a run for a deleted source nor cancels a finished run', async () => {
    expect(await queueImport(database.db, { sourceId: 999, actor: 'u1' })).toBeNull();
    const id = await source();
    const run = (await queueImport(database.db, { sourceId: id, actor: 'u1' })) ?? 0;
    expect(await cancelImport(database.db, run)).toBe(true);
    expect(await cancelImport(database.db, run)).toBe(false);
    expect(await runs()).toMatchObject([{ state: 'cancelled' }]);
  });

  test('writes an audit entry only for a run that a person started', async () => {
    const id = await source();
    await database.db.updateTable('feed_sources').set({ schedule_minutes: 5 }).execute();
    await makeDue();
    await queueDueImports(database.db);
    await database.db.updateTable('import_runs').set({ state: 'done' }).execute();
    await queueImport(database.db, { sourceId: id, actor: 'u7', isDryRun: true });
    await queueImport(database.db, { sourceId: id, actor: 'u7' });
    const acts = await database.db
      .selectFrom('audit_log')
      .select(['actor', 'action'])
      .where('action', '=', 'import.start')
      .execute();
    expect(acts).toEqual([{ actor: 'u7', action: 'import.start' }]);
  });
});
