import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

export function findWatcher(db: Db, id: number) {
  return ask(db).row<{ id: number; email: string }>`
    select id, email from watchers where id = ${id}`;
}

export function findWatcherByAddress(db: Db, email: string) {
  return ask(db).value<number>`select id from watchers where lower(email) = ${email.toLowerCase()}`;
}

/** Deletes everything stored about an address without an account. Data of an account is kept. */
export async function eraseWatcher(db: Db, { id, email }: { id: number; email: string }) {
  const address = email.toLowerCase();
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('watchers').where('id', '=', id).execute();
    await sql`delete from watch_requests where lower(email) = ${address}`.execute(tx);
    await sql`
      delete from mail_outbox
       where lower(recipient) = ${address} and user_id is null and (kind like 'price-alert%' or kind like 'search-%')`.execute(
      tx,
    );
  });
}
