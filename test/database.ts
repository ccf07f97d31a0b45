import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { connect, type Db } from '#database/connect.ts';
import { describeSchema } from '#database/describe-schema.ts';
import { migrate } from '#database/migrate.ts';
import { databaseUrl, onServer } from '#test/global-setup.ts';
import { emptyTables } from '#test/empty-tables.ts';

export interface TestDatabase {
  db: Db;
  pool: pg.Pool;
  url: string;
  /** Empties every table except those of the migrations. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Creates a database cloned from the migrated template; `close` drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('serverUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await cloneTemplate(name);
  return open(name, () => onServer(serverUrl, `drop database if exists ${name} with (force)`));
}

/**
 * Creates a database that only supports ASCII letters, like old private databases and some owners'
 * servers.
 */
export async function createAsciiDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('serverUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(
    serverUrl,
    `create database ${name} template template0 lc_collate 'C' lc_ctype 'C'`,
  );
  const database = open(name, () => onServer(serverUrl, `drop database ${name} with (force)`));
  await migrate(database.db);
  return database;
}

/**
 * Gives a test file its database: `const database = useTestDatabase()`, then `database.db` inside
 * tests. The database is empty before each test. Consecutive files share a database; schema changes
 * are undone before the next file.
 */
export function useTestDatabase(): TestDatabase {
  const database = {} as TestDatabase;
  beforeAll(async () => {
    Object.assign(database, await takeStoredDatabase());
  });
  afterEach(() => database.reset());
  afterAll(() => database.close());
  return database;
}

/**
 * Takes the first existing database that no other file uses. An advisory lock reserves it until the
 * process ends.
 */
async function takeStoredDatabase(): Promise<TestDatabase> {
  const template = inject('templateDatabase');
  const holder = new pg.Client({ connectionString: inject('serverUrl') });
  await holder.connect();
  for (let number = 1; ; number++) {
    const name = `${template}_${number}`;
    const { rows } = await holder.query<{ isOurs: boolean }>(
      `select pg_try_advisory_lock(hashtext($1)) as "isOurs"`,
      [name],
    );
    if (!rows[0]?.isOurs) continue;
    await makeLikeTemplate(holder, name);
    return open(name, () => holder.end());
  }
}

async function makeLikeTemplate(holder: pg.Client, name: string): Promise<void> {
  const { rowCount } = await holder.query('select from pg_database where datname = $1', [name]);
  if (!rowCount) return cloneTemplate(name);
  await holder.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    name,
  ]);
  if (await emptyIfUnchanged(databaseUrl(inject('serverUrl'), name))) return;
  await holder.query(`drop database ${name} with (force)`);
  await cloneTemplate(name);
}

/** Returns false if the previous file changed the schema. */
async function emptyIfUnchanged(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    if ((await describeSchema(client)) !== inject('templateSchema')) return false;
    await emptyTables(client, { secrets: true });
    return true;
  } finally {
    await client.end();
  }
}

async function cloneTemplate(name: string): Promise<void> {
  await onServer(
    inject('serverUrl'),
    `create database ${name} template ${inject('templateDatabase')}`,
  );
}

function open(name: string, release: () => Promise<unknown>): TestDatabase {
  const url = databaseUrl(inject('serverUrl'), name);
  // The timeouts for connections and statements are long, because a busy server is not a broken
  // one.
  const { db, pool, close } = connect(url, { statementTimeout: 60_000 });
  pool.options.connectionTimeoutMillis = 60_000;
  return {
    db,
    pool,
    url,
    reset: () => emptyTables(pool),
    async close() {
      await close();
      await release();
    },
  };
}
