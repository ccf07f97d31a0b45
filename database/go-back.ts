import { sql } from 'kysely';
import { putBackFunctions } from '#database/apply-functions.ts';
import type { Db, Tx } from '#database/connect.ts';
import { errorWords } from '#database/error-code.ts';
import { readMigrations, waitForTurn } from '#database/migrate.ts';
import { type Release, releases, type WayBack, waysBack } from '#database/releases.ts';
import { forgetFormer, readFormer } from '#database/site-versions.ts';
import { readSqlFiles } from '#database/sql-files.ts';

/** The way back to the version that this database was upgraded from. */
export interface FoundWay {
  version: string;
  /** What is undone, the newest first. */
  migrations: string[];
  /** Why it cannot go now, each in words: rows that the older version has no place for, a migration without a way back. */
  obstacles: string[];
}

/** Reads only. Null where the database was not upgraded from a release, so there is nothing to go back to. */
export async function findWayBack(db: Db): Promise<FoundWay | null> {
  const former = await readFormer(db);
  if (former === null) return null;
  const migrations = await migrationsSince(db, former.release);
  return {
    version: former.release.version,
    migrations,
    obstacles: await findObstacles(db, migrations),
  };
}

/** Which migrations bring a database from a release to where it stands, and which of them have no way back. */
export function missingWays(migrations: readonly string[]): string[] {
  return migrations.flatMap((name) => {
    const way = wayOf(name);
    return typeof way === 'string' ? [`${name} cannot be undone: ${way}`] : [];
  });
}

/**
 * Makes the database again what the version before knows: its tables, its functions, its list of migrations; every row and
 * column of those stays as it is now. One transaction: killed anywhere, it has happened or not. Throws a sentence that says
 * what is in the way, and then nothing was changed.
 */
export async function goBack(db: Db): Promise<FoundWay> {
  return db.transaction().execute(async (tx) => {
    await waitForTurn(tx);
    const former = await readFormer(tx);
    if (former === null) throw new Error(nothingBefore);
    const migrations = await migrationsSince(tx, former.release);
    await lockWritten(tx, migrations);
    const obstacles = await findObstacles(tx, migrations);
    const { version } = former.release;
    if (obstacles.length > 0) throw new Error(describeObstacles(version, obstacles));
    const texts = await readSqlFiles('undo');
    for (const name of migrations) {
      await undo(tx, `database/undo/${name}.sql`, texts.get(name) ?? '');
      await sql`delete from kysely_migration where name = ${name}`.execute(tx);
    }
    await putBackFunctions(tx, former.functions);
    await forgetFormer(tx, former.release);
    return { version, migrations, obstacles };
  });
}

export const nothingBefore = `This database was not upgraded from ${releases.map(({ version }) => version).join(' or ')}: there is no version to go back to. A backup from before brings older data back (\`deals restore\`).`;

export function describeObstacles(version: string, obstacles: readonly string[]): string {
  return `This database cannot go back to ${version} now: ${obstacles.join('; ')}. Nothing was changed.`;
}

/** The newest first. */
async function migrationsSince(db: Db, { lastMigration }: Release): Promise<string[]> {
  const { done } = await readMigrations(db);
  return done.filter((name) => name > lastMigration).toReversed();
}

function wayOf(name: string): WayBack {
  return waysBack[name] ?? 'nobody wrote how';
}

/** What it found is true until the end. */
async function lockWritten(tx: Tx, migrations: readonly string[]): Promise<void> {
  const tables = new Set(newRowsOf(migrations).map(({ table }) => table));
  for (const table of tables) {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx);
  }
}

async function findObstacles(db: Db, migrations: readonly string[]): Promise<string[]> {
  const obstacles = missingWays(migrations);
  for (const { table, where, what, mend } of newRowsOf(migrations)) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where ${sql.raw(where)}`.execute(db);
    const count = rows[0]?.count ?? 0;
    if (count === 0) continue;
    const then = mend ? `: ${mend}` : '';
    obstacles.push(`it has no place for ${count} ${what} (table ${table})${then}`);
  }
  return obstacles;
}

function newRowsOf(migrations: readonly string[]) {
  return migrations.flatMap((name) => {
    const way = wayOf(name);
    return typeof way === 'string' ? [] : way.newRows;
  });
}

async function undo(tx: Tx, file: string, text: string): Promise<void> {
  try {
    await sql.raw(text).execute(tx);
  } catch (error) {
    throw new Error(`${file} failed: ${errorWords(error)}. Nothing was changed.`, { cause: error });
  }
}
