import { sql } from 'kysely';
import { applyFunctions } from '#database/apply-functions.ts';
import type { Db, Tx } from '#database/connect.ts';
import { readSqlFiles, runSqlFile } from '#database/sql-files.ts';

/**
 * The key of the lock that old releases use for migrations (Kysely's `Migrator`), so that old and
 * new releases never migrate at the same time.
 */
const turn = '3853314791062309107';

/**
 * The migration tables. Runners take turns by locking `turn`; older releases expect the second
 * table.
 */
export const migrationTables = `
create table kysely_migration (name varchar(255) not null primary key, "timestamp" varchar(255) not null);
create table kysely_migration_lock (id varchar(255) not null primary key, is_locked integer not null default 0);
insert into kysely_migration_lock (id) values ('migration_lock')`;

/**
 * Migrates the database: runs each numbered file of `migrations/` once, then each changed file of
 * `functions/`. Runs in one transaction, one runner at a time, forward only. With `upTo`, stops
 * after that migration and leaves functions as migrations created them. Rejects a database that a
 * newer version of the product has migrated. Returns the names of the migrations that ran. Throws a
 * message with the failed file and a fix.
 */
export async function migrate(db: Db, upTo?: string): Promise<string[]> {
  const texts = await readMigrationTexts();
  return db.transaction().execute(async (tx) => {
    await waitForTurn(tx);
    if (!(await hasMigrated(tx))) await sql.raw(migrationTables).execute(tx);
    const done = await readDone(tx);
    const pending = listPending([...texts.keys()], done);
    const wanted = pending.filter((name) => upTo === undefined || name <= upTo);
    for (const name of wanted) {
      await runSqlFile(tx, `database/migrations/${name}.sql`, texts.get(name) ?? '');
      await sql`insert into kysely_migration values (${name}, ${new Date().toISOString()})`.execute(
        tx,
      );
    }
    if (upTo === undefined) await applyFunctions(tx);
    return wanted;
  });
}

/** Returns the name of the newest migration of this version, such as `0001_initial`. */
export async function newestMigration(): Promise<string> {
  return [...(await readMigrationTexts()).keys()].at(-1) ?? '';
}

/** Returns the SQL of each migration by name, in order. */
export function readMigrationTexts(): Promise<ReadonlyMap<string, string>> {
  return readSqlFiles('migrations');
}

/**
 * Waits for the lock, however long the previous runner takes. Later statements have the usual time
 * limit.
 */
async function waitForTurn(tx: Tx): Promise<void> {
  const { rows } = await sql<{ patience: string }>`
    select current_setting('lock_timeout') as patience`.execute(tx);
  await sql`set local lock_timeout = '1h'`.execute(tx);
  await sql`select pg_advisory_xact_lock(${turn})`.execute(tx);
  await sql`select set_config('lock_timeout', ${rows[0]?.patience}, true)`.execute(tx);
}

/** Reads the pending and the applied migrations. Throws the same messages as `migrate`. */
export async function readMigrations(db: Db): Promise<{ done: string[]; pending: string[] }> {
  const done = (await hasMigrated(db)) ? await readDone(db) : [];
  return { done, pending: listPending([...(await readMigrationTexts()).keys()], done) };
}

async function hasMigrated(db: Db): Promise<boolean> {
  const { rows } = await sql<{ exist: boolean }>`
    select to_regclass('kysely_migration') is not null as exist`.execute(db);
  return rows[0]?.exist ?? false;
}

/** Returns the applied migrations, in order. */
async function readDone(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name).sort();
}

function listPending(known: readonly string[], done: readonly string[]): string[] {
  if (done.some((name) => !known.includes(name))) {
    throw new Error(
      'This database was migrated by a newer version of Deal Hub. Start that version, or restore an older backup.',
    );
  }
  const late = known.find((name, place) => place < done.length && !done.includes(name));
  if (late !== undefined) {
    throw new Error(
      `database/migrations/${late}.sql comes before a migration that has already run here. Give the file the next number.`,
    );
  }
  return known.slice(done.length);
}
