import { createHash } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { describeClosed } from '#app/features/site-settings/closed-site.ts';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';
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
import { callChannel, type ChannelFetch } from './call-channel.server.ts';
import { isChannelKind } from './channel-fields.ts';
import { type ChannelKind, type ChannelMessage, ChannelRefusal } from './channel-kind.server.ts';
import { channelKinds } from './channel-kinds.server.ts';
import { openChannelSettings } from './channel-settings.server.ts';
import { noteChannelFailure, noteChannelSuccess } from './note-channel-health.server.ts';
import { secondsOfQuiet } from './quiet-hours.ts';
import { type ChannelPost, writeChannelMessage } from './write-channel-message.server.ts';

export interface ChannelWorker extends OutboxWorker {
  /** The only post to send, even to a channel that is off or waits. */
  postId?: number;
  fetch?: ChannelFetch;
}

type Channel = Selectable<Database['channels']>;

/** seconds between two checks of a closed site */
const closedSeconds = 60;

export const areChannelPostsDue = () => sql`exists (
  select from channels c
   where c.is_active and c.next_at <= now() and (
     select true from channel_posts
      where channel_id = c.id and due_at <= now() and ${isFree} order by due_at, id limit 1))`;

/**
 * Sends due posts and edits, one at a time for each channel, and returns the number of claimed
 * ones. A channel waits after each request as long as its kind requires.
 */
export async function sendChannelPosts(
  services: AppServices,
  worker: ChannelWorker = {},
): Promise<number> {
  const { db } = services;
  const only = worker.postId;
  const settings = await readSiteSettings(db);
  if (only === undefined && describeClosed(settings.maintenance) !== null) {
    await ask(db).rows`
      update channels set next_at = greatest(next_at, now() + make_interval(secs => ${closedSeconds})) where is_active`;
    return 0;
  }
  return deliverOutbox<ChannelPost>(
    services,
    {
      table: 'channel_posts',
      noun: 'channel post',
      due: () =>
        only === undefined
          ? sql`select due.id from channels c cross join lateral (
              select id from channel_posts
               where channel_id = c.id and due_at <= now() and ${isFree}
               order by due_at, id limit 1 for update skip locked) due
             where c.is_active and c.next_at <= now()`
          : sql`select id from channel_posts where id = ${only} and ${isFree} for update skip locked`,
      order: sql`due_at, id`,
      isGivenUp: sql`event = 'test' or trying_since < now() - interval '24 hours'`,
      limits: { atOnce: 10, firstPauseSeconds: 30 },
      isOneBatch: only !== undefined,
      facts: ({ id, event, channel_id }) => ({ post: id, event, channel: channel_id }),
      prepare: async () => (post, lost) => sendOne(services, worker, settings, post, lost),
    },
    worker,
  );
}

async function sendOne(
  services: AppServices,
  worker: ChannelWorker,
  settings: SiteSettings,
  post: ChannelPost,
  lost: AbortSignal,
): Promise<Verdict> {
  const { db, now } = services;
  const channel = await db
    .selectFrom('channels')
    .selectAll()
    .where('id', '=', post.channel_id)
    .executeTakeFirst();
  if (!channel || !isChannelKind(channel.kind)) return { state: 'cancelled', words: null };
  const kind = channelKinds[channel.kind];
  const quiet = secondsOfQuiet(channel, now(), settings.timeZone);
  if (quiet > 0 && post.posted_at === null && post.event !== 'test') {
    return { state: 'later', words: null, atLeastSeconds: quiet };
  }
  const message = await writeChannelMessage(services, post, channel.template, settings, kind);
  if (!message) return { state: 'cancelled', words: 'outdated before it was sent' };
  const hash = hashOf(message);
  if (post.posted_at !== null && post.text_hash === hash) return { state: 'sent', words: null };
  const wait = await takeTurn(db, channel.id, kind, worker.postId !== undefined);
  if (wait > 0) return { state: 'later', words: null, atLeastSeconds: wait };
  try {
    const sealed = await openChannelSettings(db, channel.id, channel.settings);
    const call = callChannel(services.env.feedPrivateHosts, sealed, worker.fetch ?? {}, lost);
    const id = await deliver(kind, { call, sealed, message, post });
    return succeed(db, channel, { id, hash });
  } catch (error) {
    return judge(db, channel, error);
  }
}

async function deliver(
  kind: ChannelKind,
  {
    call,
    sealed,
    message,
    post,
  }: {
    call: ReturnType<typeof callChannel>;
    sealed: Awaited<ReturnType<typeof openChannelSettings>>;
    message: ChannelMessage;
    post: ChannelPost;
  },
): Promise<string | null> {
  if (post.posted_at === null) return kind.post(call, sealed, message);
  if (post.remote_id !== null) await kind.edit?.(call, sealed, message, post.remote_id);
  return post.remote_id;
}

/**
 * Reserves the channel for one request, and schedules its next one. Returns the seconds to wait if
 * another process was faster. One statement decides by the database's clock, so no two requests are
 * closer than the kind allows.
 */
async function takeTurn(db: Db, id: number, { gapSeconds }: ChannelKind, isAtOnce: boolean) {
  const taken = await ask(db).row`
    update channels set next_at = greatest(next_at, now()) + make_interval(secs => ${gapSeconds})
     where id = ${id} and (next_at <= now() or ${isAtOnce}) returning id`;
  return taken ? 0 : gapSeconds;
}

function succeed(
  db: Db,
  { id: channelId }: Channel,
  { id, hash }: { id: string | null; hash: string },
): Verdict {
  return {
    state: 'sent',
    words: null,
    set: sql`remote_id = ${id}, text_hash = ${hash}, posted_at = coalesce(posted_at, now())`,
    afterwards: () => noteChannelSuccess(db, channelId),
  };
}

/** Returns the outcome of a failed request. Unexpected errors are thrown. */
function judge(db: Db, { id }: Channel, error: unknown): Verdict {
  if (error instanceof ChannelRefusal) {
    const { status, message: words, retryAfterSeconds: asked } = error;
    return {
      state: error.isPassing ? 'later' : 'failed',
      words,
      facts: { status },
      atLeastSeconds: asked,
      afterwards: (pause) => noteChannelFailure(db, id, { words, wait: asked ?? 0, pause }),
    };
  }
  if (!(error instanceof SafeFetchError)) throw error;
  const words = error.message;
  const afterwards = (pause: number) => noteChannelFailure(db, id, { words, wait: 0, pause });
  return { state: 'later', words, afterwards };
}

/** Returns a hash of all that an edit would change. */
function hashOf({ text, picture }: ChannelMessage): string {
  return createHash('sha256')
    .update(JSON.stringify([text, picture?.url]))
    .digest('hex');
}
