import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { connect, type Db } from '#database/connect.ts';
import { databaseUrl, onServer } from '#test/global-setup.ts';

export interface TestDatabase {
  db: Db;
  pool: pg.Pool;
  url: string;
  /** Empties every table but the migrations' own. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** A database of one's own, cloned from the migrated template; `close` drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('serverUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create database ${name} template ${inject('templateDatabase')}`);
  const url = databaseUrl(serverUrl, name);
  const connection = connect(url);
  return {
    db: connection.db,
    pool: connection.pool,
    url,
    reset: () => reset(connection.db),
    async close() {
      await connection.close();
      await onServer(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

/** Gives a test file its database: `const database = useTestDatabase()`, then `database.db` inside tests. */
export function useTestDatabase(): TestDatabase {
  const database = {} as TestDatabase;
  beforeAll(async () => {
    Object.assign(database, await createTestDatabase());
  });
  afterEach(() => database.reset());
  afterAll(() => database.close());
  return database;
}

// The secrets stay: processes, and the bundle beside the sources, hold them in memory.
async function reset(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables
     where schemaname = 'public' and tablename not like 'kysely_%' and tablename not in ('site_counters', 'site_secrets')`.execute(
    db,
  );
  await sql`truncate ${sql.raw(rows.map((row) => row.name).join(', '))} restart identity cascade`.execute(
    db,
  );
  await sql`update site_counters set value = 0`.execute(db);
}
