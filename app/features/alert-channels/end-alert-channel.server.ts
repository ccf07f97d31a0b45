import { stopByMail } from '#app/features/watched-searches/stop-by-mail.server.ts';
import { sentByChannel } from '#app/features/price-alerts/goes-to.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import type { StopWish } from '#app/platform/mail/stop-token.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';

/** Handles a stop link in an email or message: removes its channel, or stops its emails. */
export async function stopByLinkOfMessage(db: Db, { what, id }: StopWish): Promise<void> {
  if (what === 'channel') await removeAlertChannel(db, Number(id), null);
  else await stopByMail(db, { what, id });
}

/**
 * Deletes a channel with its secrets, by a link of its own messages (`userId` is `null`) or in its
 * owner's account. Returns `false` if it is gone or another person's.
 */
export async function removeAlertChannel(
  db: Db,
  id: number,
  userId: string | null,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const channel = await lockChannel(tx, id);
    if (!channel || (userId !== null && channel.user_id !== userId)) return false;
    const waiting = await releaseMails(tx, id);
    await ask(tx).rows`delete from alert_channels where id = ${id}`;
    await wakeMails(tx, waiting);
    await noticeEnd(tx, channel, 'removed');
    return true;
  });
}

/** Stops a channel to which messages failed for too long. Its owner sees it in the list. */
export async function stopFailingChannel(db: Db, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const channel = await lockChannel(tx, id);
    if (!channel?.isUsable) return;
    const waiting = await releaseMails(tx, id);
    await ask(tx).rows`update alert_channels set stopped_at = now() where id = ${id}`;
    await ask(tx).rows`
      update alert_messages set state = 'cancelled', last_error = 'the channel was stopped'
       where channel_id = ${id} and state = 'queued'`;
    await wakeMails(tx, waiting);
    await noticeEnd(tx, channel, 'failed');
  });
}

interface EndingChannel {
  id: number;
  user_id: string;
  email: string;
  place: string;
  isUsable: boolean;
}

function lockChannel(tx: Tx, id: number) {
  return ask(tx).row<EndingChannel>`
    select c.id, c.user_id, u.email, c.place, c.proved_at is not null and c.stopped_at is null as "isUsable"
      from alert_channels c join users u on u.id = c.user_id where c.id = ${id} for update of c`;
}

/**
 * Cancels emails whose message was sent, and returns the ids of those whose message is still
 * queued.
 */
async function releaseMails(tx: Tx, id: number): Promise<number[]> {
  await ask(tx).rows`
    update mail_outbox set state = 'cancelled', last_error = ${sentByChannel}
     where state = 'queued' and id in (
       select mail_id from alert_messages where channel_id = ${id} and is_instead and state = 'sent')`;
  const rows = await ask(tx).rows<{ mail_id: number }>`
    select mail_id from alert_messages where channel_id = ${id} and is_instead and state = 'queued'`;
  return rows.map(({ mail_id }) => mail_id);
}

/** Makes held-back emails due if none of the messages that they wait for is left. */
export async function wakeMails(db: Db | Tx, ids: readonly number[]): Promise<void> {
  await ask(db).rows`
    update mail_outbox m set due_at = now()
     where id = any(${ids}) and state = 'queued' and due_at > now() and not exists (
       select from alert_messages where mail_id = m.id and is_instead and state in ('queued', 'sent'))`;
}

/** Notifies a person whose last channel ended, since every alert comes by email again. */
async function noticeEnd(tx: Tx, channel: EndingChannel, why: 'failed' | 'removed') {
  if (!channel.isUsable) return;
  const { id, user_id, email, place } = channel;
  const hasAnother = await ask(tx).value<boolean>`
    select exists (select from alert_channels
                    where user_id = ${user_id} and id <> ${id} and proved_at is not null and stopped_at is null)`;
  if (hasAnother) return;
  await queueMail(tx, {
    key: `alert-channel-ended:${id}`,
    kind: 'alert-channel-ended',
    to: email,
    userId: user_id,
    props: { place, why },
  });
}
