import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { connect } from '#database/connect.ts';
import { useTestDatabase } from '#test/database.ts';

const database = useTestDatabase();

// Proves R21: SQL bound, timed
it('R21: limits statements, waits for locks and idle time in a transaction', async () => {
  const { pool, close } = connect(database.url);
  const { rows } = await pool.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`,
  );
  await close();
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]))).toEqual({
    statement_timeout: 5_000,
    lock_timeout: 3_000,
    idle_in_transaction_session_timeout: 30_000,
  });
});

// Proves R35: database loss (database/connect.ts)
it('R35: reports a connection that drops while idle, and opens a new one for the next query', async () => {
  const dropped = Promise.withResolvers<Error>();
  const { pool, close } = connect(database.url, { maxConnections: 1, onError: dropped.resolve });
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  expect(await dropped.promise).toMatchObject({ code: '57P01' });
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await close();
});

it('R35: fails only the query or transaction whose connection drops, not the process', async () => {
  const dropped: Error[] = [];
  const { db, pool, close } = connect(database.url, {
    maxConnections: 1,
    onError: (error) => dropped.push(error),
  });
  await expect(
    db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await sql`select 1`.execute(tx);
    }),
  ).rejects.toThrow(/terminat|not queryable|ECONNRESET/);
  await expect(
    sql`select pg_terminate_backend(pg_backend_pid()), pg_sleep(10)`.execute(db),
  ).rejects.toThrow(/terminat|ECONNRESET/);
  const ask = () =>
    pool.query('select 1 as one').then(
      ({ rows }) => rows,
      () => 'not yet',
    );
  await expect.poll(() => dropped.length).toBeGreaterThan(0);
  await expect.poll(ask).toEqual([{ one: 1 }]);
  await close();
});
