import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

/** Sessions that ended by the clock, and links of mails that nobody may use any more. */
export async function forgetEndedSessions(db: Db): Promise<void> {
  await sql`delete from sessions where expires_at < now()`.execute(db);
  await sql`delete from verifications where expires_at < now()`.execute(db);
}
