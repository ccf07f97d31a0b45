import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';

export type Subscription = Selectable<Database['newsletter_subscriptions']>;

export async function findSubscription(db: Db, email: string): Promise<Subscription | null> {
  const address = email.toLowerCase();
  return (
    (await all(db)
      .where(sql`lower(email)`, '=', address)
      .executeTakeFirst()) ?? null
  );
}

/** Locks an address's subscription until the transaction ends, and returns the subscription. */
export async function lockSubscription(tx: Tx, email: string): Promise<Subscription | null> {
  const row = await all(tx)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function findSubscriptionById(db: Db, id: number): Promise<Subscription | null> {
  return (await all(db).where('id', '=', id).executeTakeFirst()) ?? null;
}

function all(db: Db) {
  return db.selectFrom('newsletter_subscriptions').selectAll();
}

/** Inserts a subscription. Returns `null` if the address already exists. */
export async function insertSubscription(tx: Tx, email: string, isActive: boolean) {
  const row = await tx
    .insertInto('newsletter_subscriptions')
    .values({ email, is_active: isActive })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Restarts an ended subscription, or requests confirmation again. The new nonce invalidates links
 * in earlier emails. Returns `null` if the subscription is active.
 */
export async function renewSubscription(tx: Tx, id: number, isActive: boolean) {
  const row = await tx
    .updateTable('newsletter_subscriptions')
    .set({
      is_active: isActive,
      subscribed_at: sql<Date>`now()`,
      unsubscribed_at: null,
      confirmed_at: null,
      consent_source: null,
      move_id: null,
      // Resets the lists to the defaults for new subscribers.
      list_ids: sql<number[]>`default`,
      token_nonce: sql<string>`replace(gen_random_uuid()::text, '-', '')`,
    })
    .where('id', '=', id)
    .where('is_active', '=', false)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Activates a subscription only if it is waiting, since an old confirmation link must not undo an
 * unsubscribe.
 */
export async function activateSubscription(tx: Tx, id: number, nonce: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('newsletter_subscriptions')
    .set({ is_active: true, confirmed_at: sql<Date>`now()`, subscribed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('token_nonce', '=', nonce)
    .where('is_active', '=', false)
    .where('unsubscribed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Ends a subscription and deletes what the person followed. Returns `true` if the subscription had
 * not ended before. Otherwise nothing changes, not even the time.
 */
export async function endSubscription(db: Db, id: number, nonce: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('newsletter_subscriptions')
    .set({ is_active: false, unsubscribed_at: sql<Date>`now()` })
    .set({ followed_category_ids: [], followed_merchant_ids: [] })
    .where('id', '=', id)
    .where('token_nonce', '=', nonce)
    .where('unsubscribed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Counts an unsubscribe through a link of this newsletter. */
export async function countLeaving(db: Db, newsletterId: number): Promise<void> {
  await db
    .updateTable('newsletters')
    .set({ left_count: sql<number>`left_count + 1` })
    .where('id', '=', newsletterId)
    .where('started_at', 'is not', null)
    .execute();
}
