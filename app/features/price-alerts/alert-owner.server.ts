import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Tx } from '#database/connect.ts';

/** The owner of an alert: a user, or a guest subscriber, who has an address but no account. */
export type AlertOwner = { userId: string } | { watcherId: number };

/** Returns the condition that a row of `price_alerts`, or its alias, belongs to the owner. */
export function isOwnedBy(owner: AlertOwner, table = 'price_alerts'): RawBuilder<boolean> {
  return 'userId' in owner
    ? sql`${sql.ref(`${table}.user_id`)} = ${owner.userId}`
    : sql`${sql.ref(`${table}.watcher_id`)} = ${owner.watcherId}`;
}

/** Locks the owner, so that counts of the owner's alerts stay valid. */
export async function lockOwner(tx: Tx, owner: AlertOwner): Promise<void> {
  await (
    'userId' in owner
      ? sql`select from users where id = ${owner.userId} for no key update`
      : sql`select from watchers where id = ${owner.watcherId} for no key update`
  ).execute(tx);
}

/**
 * Returns the account with this verified email, or else a guest subscriber, who is created if
 * missing.
 */
export async function ownerOfAddress(tx: Tx, email: string): Promise<AlertOwner> {
  // An unverified account is locked as well: if its user verifies the address in the meantime, the
  // account gets the alert.
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
