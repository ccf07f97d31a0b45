import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

export async function forgetOldPushes(db: Db): Promise<void> {
  await sql`
    delete from push_outbox
     where state <> 'queued' and created_at < now() - interval '7 days'`.execute(db);
}
