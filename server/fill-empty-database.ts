import { sql } from 'kysely';
import { fillDemoShop } from '#app/features/desk/fill-demo-shop.server.ts';
import type { Env } from '#app/platform/env.server.ts';
import type { Log } from '#app/platform/log.server.ts';
import type { Db } from '#database/connect.ts';

const doneSetting = 'first_start_done';
const lockNumber = 4_021_975;

/**
 * Adds the demo shop on the very first start of an empty site, even if several processes start. A
 * removed demo shop is never added again.
 */
export async function fillEmptyDatabase(
  db: Db,
  env: Env,
  log: Log,
  seed: typeof fillDemoShop = fillDemoShop,
): Promise<void> {
  await db.connection().execute(async (held) => {
    const { rows } = await sql<{ isOurs: boolean }>`
      select pg_try_advisory_lock(${lockNumber}) as "isOurs"`.execute(held);
    if (!rows[0]?.isOurs) return;
    try {
      if (!(await isFirstStart(held))) return;
      log.info('filling the empty database with the demo shop');
      await seed({ db: held, env, now: () => new Date() });
      await held
        .insertInto('site_settings')
        .values({ name: doneSetting, value: 'true' })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    } finally {
      await sql`select pg_advisory_unlock(${lockNumber})`.execute(held);
    }
  });
}

async function isFirstStart(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isFirst: boolean }>`
    select not exists (select from site_settings where name = ${doneSetting})
       and not exists (select from deals)
       and not exists (select from categories)
       and not exists (select from merchants) as "isFirst"`.execute(db);
  return rows[0]?.isFirst ?? false;
}
