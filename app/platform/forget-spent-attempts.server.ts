import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

/** Used captcha tokens and counters of attempts whose time is over: nothing would ever ask for them again. */
export async function forgetSpentAttempts(db: Db): Promise<void> {
  await sql`delete from captcha_spent where expires_at < now()`.execute(db);
  await sql`delete from rate_limits where expire < extract(epoch from now()) * 1000`.execute(db);
}
