import { type RawBuilder, sql } from 'kysely';
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
