import { sql } from 'kysely';
import { forgetOldPolicyReports } from '#app/platform/policy-report-queries.server.ts';
import type { Db } from '#database/connect.ts';

/** Used captcha tokens, counters, reports and form answers whose time is over: nothing would ever ask for them again. */
export async function forgetSpentAttempts(db: Db): Promise<void> {
  await sql`delete from captcha_spent where expires_at < now()`.execute(db);
  await sql`delete from rate_limits where expire < extract(epoch from now()) * 1000`.execute(db);
  await sql`delete from form_operations where created_at < now() - interval '1 day'`.execute(db);
  await forgetOldPolicyReports(db);
}
