import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { underImportLock } from '#app/features/feeds/runs/import-queries.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { sessionsOf } from '#database/connect.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { DeafDatabase, openDatabase, refuseDeafDatabase } from '#server/open-database.ts';
import { listenForPageChanges } from '#server/page-invalidation.ts';
import { waitForDatabase } from '#server/wait-for-database.ts';
import { useTestDatabase } from '#test/database.ts';
import { type PoolerStandIn, startPooler } from '#test/pooler-stand-in.ts';

const database = useTestDatabase();
const log = createLog('silent');
let putAway: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of putAway.toReversed()) await step();
  putAway = [];
});

async function pooler(options: { lines?: number; ignores?: boolean } = {}): Promise<PoolerStandIn> {
  const one = await startPooler(database.url, options);
  putAway.push(() => one.close());
  return one;
}

async function open(urls: { DATABASE_URL: string; DATABASE_URL_DIRECT?: string }) {
  const env = readEnv({ NODE_ENV: 'test', ...urls });
  const opened = await openDatabase(env, log, { forPages: true });
  putAway.push(() => opened.stop());
  const ask = () => refuseDeafDatabase(opened, env);
  return { opened, start: () => waitForDatabase(opened, log, { ask }) };
}

// Proves R62: silent and read-only databases, and pages that a change made old
describe('behind a transaction pooler', () => {
  it.each([
    ['refuses settings of the start', false],
    ['ignores settings of the start', true],
  ])(
    'names the missing setting if there is no direct URL behind a pooler that %s',
    async (_what, ignores) => {
      const { start } = await open({ DATABASE_URL: (await pooler({ ignores })).url });
      await expect(start()).rejects.toThrow(DeafDatabase);
      await expect(start()).rejects.toThrow(/pgbouncer, and DATABASE_URL_DIRECT is missing/);
    },
  );

  it('rejects a direct database URL that points to the pooler or another database', async () => {
    const { url } = await pooler({ ignores: true });
    const through = await open({ DATABASE_URL: url, DATABASE_URL_DIRECT: url });
    await expect(through.start()).rejects.toThrow(/do not arrive at DATABASE_URL_DIRECT/);
    const other = new URL(database.url);
    other.pathname = '/postgres';
    const astray = await open({ DATABASE_URL: url, DATABASE_URL_DIRECT: other.href });
    await expect(astray.start()).rejects.toThrow(/do not arrive at DATABASE_URL_DIRECT/);
  });

  it('reports the missing pooler URL if only the direct one is set', () => {
    expect(() => readEnv({ DATABASE_URL_DIRECT: database.url })).toThrow(
      /DATABASE_URL, the pooler's own address, is missing/,
    );
  });

  it('limits every statement and transaction on all connections behind a pooler', async () => {
    const { url, carried } = await pooler();
    const { opened, start } = await open({
      DATABASE_URL: url,
      DATABASE_URL_DIRECT: database.url,
    });
    await start();
    const limits = sql<{ name: string; setting: string }>`
      select name, setting from pg_settings where name in
        ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') order by name`;
    const wanted = [
      { name: 'idle_in_transaction_session_timeout', setting: '30000' },
      { name: 'lock_timeout', setting: '3000' },
      { name: 'statement_timeout', setting: '5000' },
    ];
    for (let n = 0; n < 4; n++) {
      expect((await limits.execute(opened.db)).rows).toEqual(wanted);
      const inside = await opened.db
        .transaction()
        .setIsolationLevel('serializable')
        .execute(async (tx) => {
          const { rows } = await sql<{ level: string }>`
            select current_setting('transaction_isolation') as level`.execute(tx);
          return [rows[0]?.level, (await limits.execute(tx)).rows];
        });
      expect(inside).toEqual(['serializable', wanted]);
    }
    expect(carried.every((count) => count > 1)).toBe(true);
  });

  it('runs the next statement normally after a failed statement or transaction', async () => {
    const { url } = await pooler({ lines: 1 });
    const { opened } = await open({ DATABASE_URL: url, DATABASE_URL_DIRECT: database.url });
    const { db } = opened;
    await expect(sql`select 1 / 0`.execute(db)).rejects.toThrow(/division by zero/);
    const undone = db.transaction().execute(async (tx) => {
      await insertDeal(tx);
      await sql`select 1 / 0`.execute(tx);
    });
    await expect(undone).rejects.toThrow(/division by zero/);
    const swallowed = db.transaction().execute(async (tx) => {
      await sql`select 1 / 0`.execute(tx).catch(() => {});
    });
    await expect(swallowed).rejects.toThrow(/rolled back|aborted/i);
    await insertDeal(db);
    expect(await db.selectFrom('deals').select('slug').execute()).toHaveLength(1);
    const { rows } = await sql<{ patience: string }>`
      select current_setting('lock_timeout') as patience`.execute(db);
    expect(rows).toEqual([{ patience: '3s' }]);
  });

  it('announces a change through the pooler on the direct connection', async () => {
    const { url } = await pooler();
    const { opened } = await open({ DATABASE_URL: url, DATABASE_URL_DIRECT: database.url });
    const heard: string[] = [];
    const listener = {
      invalidate: (tags: readonly string[]) => void heard.push(tags.join(' ')),
      trust: () => {},
    };
    const news = listenForPageChanges(opened.url, [listener], log);
    putAway.push(() => news.stop());
    await expect.poll(() => heard).toEqual(['all']);
    const { id, category_id, merchant_id } = await insertDeal(opened.db);
    const lists = `deals deals:category:${category_id} deals:merchant:${merchant_id}`;
    await expect.poll(() => heard.slice(-2)).toEqual([`deal:${id}`, lists]);
  });

  it('takes session locks on the direct connection, so that their owner can release them', async () => {
    const { url } = await pooler();
    const { opened } = await open({ DATABASE_URL: url, DATABASE_URL_DIRECT: database.url });
    for (let n = 0; n < 4; n++) {
      let isOurs = false;
      const isTaken = await underImportLock(opened.db, async () => {
        isOurs = true;
        return (await underImportLock(database.db, async () => 'free')) === null;
      });
      expect([isOurs, isTaken]).toEqual([true, true]);
    }
    expect(sessionsOf(database.db)).toBe(database.db);
  });
});

it('receives its own notifications from a server that is not a pooler', async () => {
  const { start } = await open({ DATABASE_URL: database.url });
  await expect(start()).resolves.toBeUndefined();
});
