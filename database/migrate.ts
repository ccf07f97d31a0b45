import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Db } from '#database/connect.ts';
import { errorCode, errorWords } from '#database/error-code.ts';
import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';

const lockNotAvailable = '55P03';
const folder = fileURLToPath(new URL('./migrations/', import.meta.url));

/**
 * Brings the schema up to date, or as far as `upTo`: each numbered `.sql` file once, in one transaction, one runner at a
 * time, forward only. Refuses a database that a newer version of the product has already migrated (R39).
 * Answers the names of the migrations it ran; throws a sentence that names the file that failed and what to do.
 */
export async function migrate(db: Db, upTo?: string): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } });
  const { error, results } = await (upTo ? migrator.migrateTo(upTo) : migrator.migrateToLatest());
  if (error) {
    throw asSentence(error, results?.find(({ status }) => status === 'Error')?.migrationName);
  }
  return (results ?? []).map((result) => result.migrationName);
}

/** The name of the newest migration this version knows, e.g. `0001_initial`. */
export async function newestMigration(): Promise<string> {
  return (
    Object.keys(await readMigrations())
      .sort()
      .at(-1) ?? ''
  );
}

/** Every migration's SQL by its name, in order. */
export async function readMigrationTexts(): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file));
  const texts = new Map<string, string>();
  for (const file of files.sort()) {
    texts.set(file.slice(0, -'.sql'.length), await readFile(`${folder}${file}`, 'utf8'));
  }
  return texts;
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const migrations: Record<string, Migration> = {};
  for (const [name, text] of await readMigrationTexts()) {
    migrations[name] = { up: async (db) => void (await sql.raw(text).execute(db)) };
  }
  return migrations;
}

function asSentence(error: unknown, failed: string | undefined): Error {
  const message = errorWords(error);
  if (/previously executed migration .* is missing/.test(message)) {
    return new Error(
      'This database was migrated by a newer version of Deal Hub. Start that version, or restore an older backup.',
      { cause: error },
    );
  }
  if (failed === undefined) return error instanceof Error ? error : new Error(message);
  return new Error(
    `database/migrations/${failed}.sql failed: ${message}. The database is as it was before. ${whatToDo(error)}`,
    { cause: error },
  );
}

function whatToDo(error: unknown): string {
  if (errorCode(error) === lockNotAvailable) {
    return 'Another connection holds what it needs: stop the other processes of the site and start again.';
  }
  if (isDatabaseUnavailable(error)) return 'Start again once the database answers.';
  return 'Mend what that names, or go on with the version that ran before, which still starts.';
}
