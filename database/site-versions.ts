import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { type Release, releases } from '#database/releases.ts';

/** Returns the release with this last migration, or null between releases. */
export function releaseAt(done: readonly string[]): Release | null {
  return releases.findLast(({ lastMigration }) => lastMigration === done.at(-1)) ?? null;
}

/** Records that this version has started here. */
export async function noteVersion(db: Db, version: string): Promise<void> {
  await sql`insert into site_versions (version, started_at) values (${version}, now())
    on conflict (version) do update set started_at = now()`.execute(db);
}

/** Returns the version that last started here, or null before 1.1.0, which recorded none. */
export async function lastVersion(db: Db): Promise<string | null> {
  if (!(await isKept(db))) return null;
  const { rows } = await sql<{ version: string }>`
    select version from site_versions
     order by started_at desc limit 1`.execute(db);
  return rows[0]?.version ?? null;
}

async function isKept(db: Db): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('site_versions') is not null as exists`.execute(db);
  return rows[0]?.exists ?? false;
}
