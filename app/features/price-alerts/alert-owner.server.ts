import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Tx } from '#database/connect.ts';

/** Whose an alert is: a user's, or a watcher's, who has an address and no account. */
export type AlertOwner = { userId: string } | { watcherId: number };

/** Of a row of `price_alerts`, or what it is called in the query. */
export function isOwnedBy(owner: AlertOwner, table = 'price_alerts'): RawBuilder<boolean> {
  return 'userId' in owner
    ? sql`${sql.ref(`${table}.user_id`)} = ${owner.userId}`
    : sql`${sql.ref(`${table}.watcher_id`)} = ${owner.watcherId}`;
}

/** One at a time for each owner, so that what is counted holds. */
export async function lockOwner(tx: Tx, owner: AlertOwner): Promise<void> {
  await (
    'userId' in owner
      ? sql`select from users where id = ${owner.userId} for no key update`
      : sql`select from watchers where id = ${owner.watcherId} for no key update`
  ).execute(tx);
}

/** The account whose address it is proved to be, or a watcher, who is made where there is none. */
export async function ownerOfAddress(tx: Tx, email: string): Promise<AlertOwner> {
  // Locked whether it is proved or not: who proves it meanwhile finds the alert, and adopts it.
  const user = await ask(tx).row<{ id: string; email_verified: boolean }>`
    select id, email_verified from users where email = ${email.toLowerCase()} for no key update`;
  if (user?.email_verified) return locked(tx, { userId: user.id });
  const watcherId = await ask(tx).value<number>`
    insert into watchers (email) values (${email})
    on conflict (lower(email)) do update set email = watchers.email returning id`;
  return locked(tx, { watcherId: watcherId ?? 0 });
}

async function locked(tx: Tx, owner: AlertOwner): Promise<AlertOwner> {
  await lockOwner(tx, owner);
  return owner;
}
