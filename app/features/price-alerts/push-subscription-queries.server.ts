import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { PushSubscriptionInput } from './push-subscription-input.server.ts';

export const mostBrowsersPerUser = 10;

export interface NotifiedBrowser {
  id: number;
  user_agent: string;
  created_at: Date;
  /** By this a browser finds itself in the list; the address itself would let others write to it. */
  endpointHash: string;
}

/**
 * A browser that is told of its user's alerts. Whoever holds its keys decides for whom: signed in as somebody else it
 * belongs to them. Beyond ten the oldest gives way.
 */
export async function saveSubscription(
  db: Db,
  userId: string,
  { endpoint, p256dh, auth }: PushSubscriptionInput,
  userAgent: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select from users where id = ${userId} for no key update`.execute(tx);
    await tx
      .deleteFrom('push_subscriptions')
      .where('endpoint', '=', endpoint)
      .where('user_id', '<>', userId)
      .execute();
    const row = { user_id: userId, endpoint, p256dh, auth, user_agent: userAgent.slice(0, 400) };
    await tx
      .insertInto('push_subscriptions')
      .values(row)
      .onConflict((conflict) => conflict.column('endpoint').doUpdateSet({ p256dh, auth }))
      .execute();
    await sql`
      delete from push_subscriptions where id in (
        select id from push_subscriptions where user_id = ${userId}
         order by created_at desc, id desc offset ${mostBrowsersPerUser})`.execute(tx);
  });
}

/**
 * A browser took a new address by itself and brings the secrets of its old one: nobody else knows them, so no session is
 * asked for. Answers false where we do not tell that browser (any more).
 */
export async function renewSubscription(
  db: Db,
  old: { endpoint: string; auth: string },
  { endpoint, p256dh, auth }: PushSubscriptionInput,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const known = await tx
      .selectFrom('push_subscriptions')
      .select('id')
      .where('endpoint', '=', old.endpoint)
      .where('auth', '=', old.auth)
      .forUpdate()
      .executeTakeFirst();
    if (!known) return false;
    // The page may have told us before.
    await tx
      .deleteFrom('push_subscriptions')
      .where('endpoint', '=', endpoint)
      .where('id', '<>', known.id)
      .execute();
    await tx
      .updateTable('push_subscriptions')
      .set({ endpoint, p256dh, auth })
      .where('id', '=', known.id)
      .execute();
    return true;
  });
}

/**
 * Likewise where the browser does not say which address it had: for the user who is signed in there, in the place of
 * one of theirs that calls itself the same. One they stopped is not told again.
 */
export async function renewOwnSubscription(
  db: Db,
  userId: string,
  { endpoint, p256dh, auth }: PushSubscriptionInput,
  userAgent: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('push_subscriptions')
    .select(['endpoint', 'auth'])
    .where('user_id', '=', userId)
    .where('user_agent', '=', userAgent.slice(0, 400))
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst();
  return row ? renewSubscription(db, row, { endpoint, p256dh, auth }) : false;
}

/** Somebody else's browser is a missing one (R03). */
export async function forgetSubscription(
  db: Db,
  userId: string,
  by: { id: number } | { endpoint: string },
): Promise<boolean> {
  const query = db.deleteFrom('push_subscriptions').where('user_id', '=', userId);
  const { numDeletedRows } = await (
    'id' in by ? query.where('id', '=', by.id) : query.where('endpoint', '=', by.endpoint)
  ).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Where a push goes, and for which keys it is sealed; null when the browser is not told any more. */
export async function findPushAddress(db: Db, id: number): Promise<PushSubscriptionInput | null> {
  const row = await db
    .selectFrom('push_subscriptions')
    .select(['endpoint', 'p256dh', 'auth'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** The browser took its permission back, or is gone: nothing waits for it any more. */
export async function forgetDeadSubscription(db: Db, id: number): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('id', '=', id).execute();
}

export async function listBrowsers(db: Db, userId: string): Promise<NotifiedBrowser[]> {
  const rows = await db
    .selectFrom('push_subscriptions')
    .select(['id', 'user_agent', 'created_at', 'endpoint'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ endpoint, ...row }) => ({ ...row, endpointHash: hashEndpoint(endpoint) }));
}

export function hashEndpoint(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('base64url');
}
