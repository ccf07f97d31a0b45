import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { addSubscriber, type AddSubscriberResult } from './add-subscriber.server.ts';
import { endSubscription, findSubscription } from './newsletter-queries.server.ts';

const database = useTestDatabase();
const email = 'waiting@mail.example';

const countBlocked = async () =>
  (
    await sql<{ count: number }>`select count(*)::integer as count from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`.execute(database.db)
  ).rows[0]?.count ?? 0;

/** Adds a waiting subscriber while an unsubscribe is about to be committed. */
async function addDuringUnsubscribe(): Promise<AddSubscriberResult> {
  const { db } = database;
  await db.insertInto('newsletter_subscriptions').values({ email, is_active: false }).execute();
  const known = await findSubscription(db, email);
  if (!known) throw new Error('there is no subscription');
  const { added } = await db.transaction().execute(async (tx) => {
    await endSubscription(tx, known.id, known.token_nonce);
    const pending = addSubscriber(testServices(database), { email, actor: 'ada' });
    await vi.waitFor(async () => expect(await countBlocked()).toBe(1), { timeout: 30_000 });
    // The promise is wrapped in an object, since it settles only after this transaction.
    return { added: pending };
  });
  return added;
}

test('sends no confirmation to a person who unsubscribes while staff add the address', async () => {
  expect(await addDuringUnsubscribe()).toEqual({ ok: false, reason: 'unsubscribed' });
  expect((await findSubscription(database.db, email))?.unsubscribed_at).not.toBeNull();
  expect(await database.db.selectFrom('mail_outbox').select('id').execute()).toEqual([]);
});
