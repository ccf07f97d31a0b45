import { sql } from 'kysely';
import type { Db, Tx } from '#database/connect.ts';
import { type Release, releases } from '#database/releases.ts';
import type { KeptFunction } from '#database/schema/site-tables.ts';

/** The release that a database stands at which has had these migrations; null in between. */
export function releaseAt(done: readonly string[]): Release | null {
  return releases.findLast(({ lastMigration }) => lastMigration === done.at(-1)) ?? null;
}

/** Notes that this version has started here. */
export async function noteVersion(db: Db, version: string): Promise<void> {
  await sql`insert into site_versions (version, started_at) values (${version}, now())
    on conflict (version) do update set started_at = now()`.execute(db);
}

/** The version that started here last; null where none was noted, as before 1.1.0. */
export async function lastVersion(db: Db): Promise<string | null> {
  if (!(await isKept(db))) return null;
  const { rows } = await sql<{ version: string }>`
    select version from site_versions where started_at is not null
     order by started_at desc limit 1`.execute(db);
  return rows[0]?.version ?? null;
}

/** Keeps what an upgrade leaves of the version before, unless it stops before the table is there. */
export async function keepFormer(
  tx: Tx,
  { version }: Release,
  functions: readonly KeptFunction[],
): Promise<void> {
  if (!(await isKept(tx))) return;
  const kept = JSON.stringify(functions);
  await sql`insert into site_versions (version, left_at, functions) values (${version}, now(), ${kept})
    on conflict (version) do update set left_at = now(), functions = excluded.functions`.execute(
    tx,
  );
}

interface Former {
  release: Release;
  functions: KeptFunction[];
}

/** The version that this database was upgraded from last; null where it began with the present one. */
export async function readFormer(db: Db): Promise<Former | null> {
  if (!(await isKept(db))) return null;
  const { rows } = await sql<{ version: string; functions: KeptFunction[] }>`
    select version, functions from site_versions where left_at is not null
     order by left_at desc limit 1`.execute(db);
  const release = releases.find(({ version }) => version === rows[0]?.version);
  return rows[0] && release ? { release, functions: rows[0].functions } : null;
}

/** After the way back to it: it is no longer one that was left. */
export async function forgetFormer(tx: Tx, { version }: Release): Promise<void> {
  if (!(await isKept(tx))) return;
  await sql`update site_versions set left_at = null, functions = null, started_at = now()
    where version = ${version}`.execute(tx);
}

async function isKept(db: Db): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('site_versions') is not null as exists`.execute(db);
  return rows[0]?.exists ?? false;
}
