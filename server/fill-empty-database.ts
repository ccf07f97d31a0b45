import { existsSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import type { Env } from '#app/platform/env.server.ts';
import type { Log } from '#app/platform/log.server.ts';
import type { Db } from '#database/connect.ts';

const doneSetting = 'first_start_done';

/**
 * On the very first start of an empty site: the demo shop. Remembered, so that an owner who removes it does not
 * find it back after the next start.
 */
export async function fillEmptyDatabase(db: Db, env: Env, log: Log): Promise<void> {
  const seed = new URL('../database/seed/seed-demo.ts', import.meta.url);
  if (!existsSync(seed)) return;
  const { seedDemo } = await import(seed.href);
  if (!(await isFirstStart(db))) return;
  log.info('filling the empty database with the demo shop');
  await seedDemo(db, { now: new Date(), mediaDir: path.join(env.dataDir, 'media') });
}

/** True once in the life of a database, even when several processes start together. */
async function isFirstStart(db: Db): Promise<boolean> {
  const { rows } = await sql`
    insert into site_settings (name, value)
    select ${doneSetting}, 'true'
     where not exists (select from deals) and not exists (select from categories)
    on conflict (name) do nothing
    returning name`.execute(db);
  return rows.length > 0;
}
