import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

export interface DuePush {
  id: number;
  attempts: number;
  created_at: Date;
  event_id: number;
  subscription_id: number;
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Every message is at its end, one way or another, before a lease runs out: no heartbeat is needed. */
export const leaseSeconds = 60;

export async function claimPushes(db: Db, owner: string, batch: number): Promise<DuePush[]> {
  const { rows } = await sql<DuePush>`
    with claimed as (
      update push_outbox
         set lease_owner = ${owner}, lease_until = now() + make_interval(secs => ${leaseSeconds}),
             attempts = attempts + 1
       where id in (
         select id from push_outbox
          where state = 'queued' and due_at <= now() and (lease_until is null or lease_until < now())
          order by due_at limit ${batch} for update skip locked)
      returning id, attempts, created_at, event_id, subscription_id
    )
    select c.*, s.endpoint, s.p256dh, s.auth
      from claimed c join push_subscriptions s on s.id = c.subscription_id order by c.id`.execute(
    db,
  );
  return rows;
}

export type PushOutcome =
  | { state: 'sent' | 'cancelled' }
  | { state: 'failed'; words: string }
  | { state: 'queued'; words: string; pauseSeconds: number };

/** A worker whose lease ran out must not speak for the one that took over. */
export async function notePush(
  db: Db,
  owner: string,
  id: number,
  outcome: PushOutcome,
): Promise<void> {
  const words = 'words' in outcome ? outcome.words : null;
  const pause = outcome.state === 'queued' ? outcome.pauseSeconds : 0;
  await sql`
    update push_outbox set
      state = ${outcome.state}, last_error = ${words}, lease_owner = null, lease_until = null,
      sent_at = case when ${outcome.state} = 'sent' then now() end,
      due_at = case when ${outcome.state} = 'queued' then now() + make_interval(secs => ${pause}) else due_at end
    where id = ${id} and lease_owner = ${owner} and state = 'queued'`.execute(db);
}

/** What was claimed and not begun goes back untried. */
export async function releasePushes(db: Db, owner: string): Promise<void> {
  await sql`
    update push_outbox set lease_owner = null, lease_until = null, attempts = attempts - 1
     where lease_owner = ${owner} and state = 'queued'`.execute(db);
}

/** The browser took its permission back, or is gone: nothing waits for it any more. */
export async function forgetDeadSubscription(db: Db, id: number): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('id', '=', id).execute();
}
