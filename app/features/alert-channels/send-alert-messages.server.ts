import { type Selectable, sql } from 'kysely';
import { callChannel, type ChannelFetch } from '#app/features/channels/call-channel.server.ts';
import { ChannelRefusal } from '#app/features/channels/channel-kind.server.ts';
import { channelKinds } from '#app/features/channels/channel-kinds.server.ts';
import { openChannelSettings } from '#app/features/channels/channel-settings.server.ts';
import { sentByChannel } from '#app/features/price-alerts/goes-to.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import {
  deliverOutbox,
  isFree,
  type OutboxWorker,
  type Verdict,
} from '#app/platform/deliver-outbox.server.ts';
import { SafeFetchError } from '#app/platform/safe-fetch.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import { stopFailingChannel, wakeMails } from './end-alert-channel.server.ts';
import type { AlertMail } from './hand-over-mail.server.ts';
import { type OwnChannelKind, isOwnChannelKind } from './own-channel-kinds.ts';
import { stopChannelLink } from './stop-channel-link.server.ts';
import { writeAlertMessage } from './write-alert-message.server.ts';

export interface MessageWorker extends OutboxWorker {
  fetch?: ChannelFetch;
}

type Message = Selectable<Database['alert_messages']>;
type Channel = Selectable<Database['alert_channels']> & { kind: OwnChannelKind };

/** days without a success after which a channel is stopped */
const stopAfterDays = 3;
/** seconds without requests to a service that is too busy and names no pause */
const busySeconds = 60;
/** statuses of a webhook or room that was deleted, which stop the channel at once */
const goneStatuses = new Set([404, 410]);

export const areAlertMessagesDue = () => sql`(
  select true from alert_messages
   where due_at <= now() and ${isFree} and exists (select from alert_channels c where c.id = channel_id and c.next_at <= now())
   order by due_at limit 1)`;

/** Sends due messages to people's own channels, and returns the number of claimed ones. */
export function sendAlertMessages(
  services: AppServices,
  worker: MessageWorker = {},
): Promise<number> {
  return deliverOutbox<Message>(
    services,
    {
      table: 'alert_messages',
      noun: 'alert message',
      // A channel gets one message at a time, the earliest first.
      due: (batch) => sql`
        select m.id from alert_messages m join alert_channels c on c.id = m.channel_id
         where m.due_at <= now() and m.state = 'queued' and (m.lease_until is null or m.lease_until < now())
           and c.next_at <= now() and not exists (
             select from alert_messages b
              where b.channel_id = m.channel_id and b.state = 'queued' and (b.due_at, b.id) < (m.due_at, m.id))
         order by m.due_at limit ${batch} for update of m skip locked`,
      order: sql`due_at, id`,
      isGivenUp: sql`trying_since < now() - interval '24 hours'`,
      limits: { atOnce: 10, firstPauseSeconds: 30 },
      facts: ({ id, channel_id }) => ({ message: id, channel: channel_id }),
      async prepare() {
        const { currency } = await readSiteSettings(services.db);
        return (message, lost) => sendOne(services, worker, { message, currency, lost });
      },
    },
    worker,
  );
}

async function sendOne(
  services: AppServices,
  worker: MessageWorker,
  { message, currency, lost }: { message: Message; currency: string; lost: AbortSignal },
): Promise<Verdict> {
  const { db, env } = services;
  const wake = () => wakeMails(db, [message.mail_id]);
  const cancelled = (words: string): Verdict => ({ state: 'cancelled', words, afterwards: wake });
  const channel = await findUsable(db, message.channel_id);
  if (!channel) return cancelled('the channel was stopped');
  const kind = channelKinds[channel.kind];
  const mail: AlertMail = await db
    .selectFrom('mail_outbox')
    .selectAll()
    .where('id', '=', message.mail_id)
    .executeTakeFirstOrThrow();
  const stopChannel = await stopChannelLink(services, channel.id);
  const written = await writeAlertMessage(services, mail, { kind, currency, stopChannel });
  if (!written) return cancelled('outdated before it was sent');
  const wait = await takeTurn(db, channel.id, kind.gapSeconds);
  if (wait > 0) return { state: 'later', words: null, atLeastSeconds: wait };
  try {
    const settings = await openChannelSettings(db, `alert-${channel.id}`, channel.settings);
    const call = callChannel(env.alertPrivateHosts, settings, worker.fetch ?? {}, lost);
    await kind.post(call, settings, {
      ...written,
      key: `alert-${message.id}-${message.created_at.getTime().toString(36)}`,
      queuedAt: message.created_at,
      isOver: false,
      picture: null,
      replyTo: null,
      parts: {},
    });
    return { state: 'sent', words: null, afterwards: () => noteSuccess(db, message) };
  } catch (error) {
    return judge(db, message, error);
  }
}

/**
 * Returns a verified channel that is not stopped, of a verified user who is not suspended, or
 * `null`.
 */
async function findUsable(db: Db, id: number): Promise<Channel | null> {
  const channel = await db
    .selectFrom('alert_channels as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .selectAll('c')
    .where('c.id', '=', id)
    .where('c.proved_at', 'is not', null)
    .where('c.stopped_at', 'is', null)
    .where('u.suspended_at', 'is', null)
    .where('u.email_verified', '=', true)
    .executeTakeFirst();
  return channel && isOwnChannelKind(channel.kind) ? { ...channel, kind: channel.kind } : null;
}

/**
 * Reserves the channel for one request, as channels of the site do. Returns the seconds to wait.
 */
async function takeTurn(db: Db, id: number, gapSeconds: number): Promise<number> {
  const taken = await ask(db).row`
    update alert_channels set next_at = now() + make_interval(secs => ${gapSeconds})
     where id = ${id} and next_at <= now() returning id`;
  return taken ? 0 : gapSeconds;
}

/** Cancels the email that waits for a message, and resets the channel's failures. */
async function noteSuccess(db: Db, { channel_id, mail_id }: Message): Promise<void> {
  await ask(db).rows`
    update mail_outbox set state = 'cancelled', last_error = ${sentByChannel}
     where id = ${mail_id} and state = 'queued' and exists (
       select from alert_messages where mail_id = ${mail_id} and is_instead and state = 'sent')`;
  await ask(db).rows`
    update alert_channels set failing_since = null where id = ${channel_id} and failing_since is not null`;
}

/** Returns the outcome of a failed request. Unexpected errors are thrown. */
function judge(db: Db, message: Message, error: unknown): Verdict {
  if (error instanceof ChannelRefusal) {
    const { status, message: words, retryAfterSeconds } = error;
    const isBusy = status === 429;
    const isGone = goneStatuses.has(status);
    return {
      state: error.isPassing ? 'later' : 'failed',
      words,
      facts: { status },
      atLeastSeconds: retryAfterSeconds,
      afterwards: () => noteFailure(db, message, { isGone, isBusy, wait: retryAfterSeconds ?? 0 }),
    };
  }
  if (!(error instanceof SafeFetchError)) throw error;
  const afterwards = () => noteFailure(db, message, { isGone: false, isBusy: false, wait: 0 });
  return { state: 'later', words: error.message, afterwards };
}

/**
 * Pauses a busy channel. Topics of one ntfy server share its limit, since the site has one address.
 */
async function pauseHost(db: Db, id: number, wait: number): Promise<void> {
  await ask(db).rows`
    update alert_channels set next_at = greatest(next_at, now() + make_interval(secs => ${wait}))
     where id in (
       select o.id from alert_channels o join alert_channels c on c.id = ${id}
        where (o.id = c.id or (o.kind = 'ntfy' and c.kind = 'ntfy' and split_part(o.place, '/', 1) = split_part(c.place, '/', 1)))
          and o.id in (select channel_id from alert_messages where state = 'queued')
          for no key update of o skip locked)`;
}

/**
 * Makes the email due if this was its last message, and stops a channel that fails for too long.
 */
async function noteFailure(
  db: Db,
  { channel_id, mail_id }: Message,
  { isGone, isBusy, wait }: { isGone: boolean; isBusy: boolean; wait: number },
): Promise<void> {
  const isLate = await ask(db).value<boolean>`
    update alert_channels
       set failing_since = coalesce(failing_since, now()), next_at = greatest(next_at, now() + make_interval(secs => ${wait}))
     where id = ${channel_id} and not ${isBusy}
    returning failing_since < now() - make_interval(days => ${stopAfterDays})`;
  if (isBusy) await pauseHost(db, channel_id, Math.max(wait, busySeconds));
  if (isGone || isLate) await stopFailingChannel(db, channel_id);
  await wakeMails(db, [mail_id]);
}
