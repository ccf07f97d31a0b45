import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { newestMigration } from '#database/migrate.ts';

const patienceInMs = 1000;

/** Checks within a second whether this process can serve pages. Never throws. */
export async function readiness(db: Db) {
  const wanted = await newestMigration();
  const asked = newestApplied(db).catch(() => null);
  const newest = await Promise.race([asked, sleep(patienceInMs, null, { ref: false })]);
  if (newest === null) return { ready: false, database: 'unreachable', migrations: 'unknown' };
  const migrations = newest >= wanted ? 'current' : 'behind';
  return { ready: migrations === 'current', database: 'ok', migrations };
}

/** Returns the name of the newest applied migration, or an empty string if there is none. */
export async function newestApplied(db: Db): Promise<string> {
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db);
  if (!tables[0]?.exists) return '';
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name desc limit 1`.execute(db);
  return rows[0]?.name ?? '';
}
