import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { PushSubscriptionInput } from './push-subscription-input.server.ts';

export const mostBrowsersPerUser = 10;

export interface NotifiedBrowser {
  id: number;
  user_agent: string;
  created_at: Date;
  /**
   * The hash by which a browser recognizes itself in the list. The address itself would let others
   * send messages to the browser.
   */
  endpointHash: string;
}

/**
 * Stores a browser that gets its user's alerts. After another user has signed in, the browser
 * belongs to that user. If a user has more than ten, the oldest is removed.
 */
export async function saveSubscription(
  db: Db,
  userId: string,
  { endpoint, p256dh, auth }: PushSubscriptionInput,
  userAgent: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select from users where id = ${userId} for no key update`.execute(tx);
    await sql`
      delete from push_subscriptions where endpoint = ${endpoint} and user_id <> ${userId}`.execute(
      tx,
    );
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
 * Updates a browser's changed address, authorized by the secrets of the old address instead of a
 * session. Returns `false` if the old address is unknown.
 */
export async function renewSubscription(
  db: Db,
  old: { endpoint: string; auth: string },
  { endpoint, p256dh, auth }: PushSubscriptionInput,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const id = await ask(tx).value<number>`
      select id from push_subscriptions where endpoint = ${old.endpoint} and auth = ${old.auth} for update`;
    if (id === null) return false;
    // The page may already have reported the new address.
    await sql`delete from push_subscriptions where endpoint = ${endpoint} and id <> ${id}`.execute(
      tx,
    );
    const renewed = { endpoint, p256dh, auth };
    await tx.updateTable('push_subscriptions').set(renewed).where('id', '=', id).execute();
    return true;
  });
}

/**
 * Updates a browser that has lost its old address. The new address replaces one of the user's with
 * the same user agent. A browser that was turned off stays off.
 */
export async function renewOwnSubscription(
  db: Db,
  userId: string,
  subscription: PushSubscriptionInput,
  userAgent: string,
): Promise<boolean> {
  const old = await ask(db).row<{ endpoint: string; auth: string }>`
    select endpoint, auth from push_subscriptions
     where user_id = ${userId} and user_agent = ${userAgent.slice(0, 400)} order by created_at, id limit 1`;
  return old !== null && renewSubscription(db, old, subscription);
}

/** Deletes the user's browser. Another user's browser is treated as missing. */
export async function forgetSubscription(
  db: Db,
  userId: string,
  by: { id: number } | { endpoint: string },
): Promise<boolean> {
  const own = db.deleteFrom('push_subscriptions').where('user_id', '=', userId);
  const wanted = 'id' in by ? own.where('id', '=', by.id) : own.where('endpoint', '=', by.endpoint);
  return (await wanted.executeTakeFirst()).numDeletedRows > 0n;
}

/**
 * Returns a push address with its keys, or `null` if the browser was removed or its user is
 * suspended.
 */
export function findPushAddress(db: Db, id: number) {
  return ask(db).row<PushSubscriptionInput>`
    select s.endpoint, s.p256dh, s.auth from push_subscriptions s join users u on u.id = s.user_id
     where s.id = ${id} and u.suspended_at is null`;
}

/** Deletes a browser that revoked its permission or is gone, so that no messages wait for it. */
export async function forgetDeadSubscription(db: Db, id: number): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('id', '=', id).execute();
}

export async function listBrowsers(db: Db, userId: string) {
  const rows = await ask(db).rows<Omit<NotifiedBrowser, 'endpointHash'> & { endpoint: string }>`
    select id, user_agent, created_at, endpoint from push_subscriptions
     where user_id = ${userId} order by created_at desc, id desc`;
  return rows.map(({ endpoint, ...row }) => ({ ...row, endpointHash: hashEndpoint(endpoint) }));
}

export function hashEndpoint(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('base64url');
}
