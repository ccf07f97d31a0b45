import { sql } from 'kysely';
import { sealDays } from '#app/features/evidence/seal-days-job.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import type { Db } from '#database/connect.ts';

/** Runs the nightly job as if it were this many days from now. */
export function sealAfter(db: Db, days: number): Promise<void> {
  const now = () => new Date(Date.now() + days * 86_400_000);
  const env = readEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent' });
  return sealDays({ db, env, log: createLog('silent'), now });
}

const protectedTables = ['price_log', 'price_voids', 'evidence_days'];

/** Changes the log by SQL, without its triggers, as an intruder or owner could. */
export async function tamper(db: Db, change: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const switchTriggers = async (to: 'disable' | 'enable') => {
      for (const table of protectedTables)
        await sql.raw(`alter table ${table} ${to} trigger user`).execute(tx);
    };
    await switchTriggers('disable');
    await sql.raw(change).execute(tx);
    await switchTriggers('enable');
  });
}
