import { sql, type Selectable } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import {
  deliverOutbox,
  isFree,
  type OutboxWorker,
  type Verdict,
} from '#app/platform/deliver-outbox.server.ts';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';
import { encryptPush } from '#app/platform/push/encrypt-push.server.ts';
import type { PostPush, PushAnswer } from '#app/platform/push/post-push.server.ts';
import { vapidHeader, vapidKeys, type VapidKeys } from '#app/platform/push/vapid.server.ts';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import { findPushAddress, forgetDeadSubscription } from './push-subscription-queries.server.ts';

/**
 * The message shown by the service worker (public/sw.js). A later message with the same `tag`
 * replaces it.
 */
export interface PushMessage {
  title: string;
  body: string;
  /** The page that opens when the message is clicked. */
  path: string;
  /**
   * A tag of at most 32 letters, digits and hyphens, since it is also the push service's topic (RFC
   * 8030, 5.4).
   */
  tag: string;
}

/**
 * Returns the message at the time of sending, or `null` if there is no longer a reason to send it.
 */
export type WritePush = (db: Db, push: Push, currency: string) => Promise<PushMessage | null>;

export interface PushWorker extends OutboxWorker {
  kinds: Readonly<Record<Push['kind'], WritePush>>;
  post: PostPush;
  site: Pick<MailSite, 'currency' | 'contactEmail' | 'origin'>;
}

type Services = Pick<AppServices, 'db' | 'log' | 'now'>;
export type Push = Selectable<Database['push_outbox']>;

/**
 * hours; yesterday's price is not news, so neither we nor the push service keep a message longer
 */
const giveUpAfterHours = 24;
const longestTitle = 120;

export const arePushesDue = () =>
  sql`(
  select true from push_outbox where due_at <= now() and ${isFree} order by due_at limit 1)`;

/**
 * Sends every due push message, and returns how many were claimed. A retry has the same topic, so
 * it replaces a waiting message.
 */
export function sendDuePushes(services: Services, worker: PushWorker): Promise<number> {
  return deliverOutbox<Push>(
    services,
    {
      table: 'push_outbox',
      noun: 'push',
      due: (batch) => sql`
        select id from push_outbox where due_at <= now() and ${isFree}
         order by due_at limit ${batch} for update skip locked`,
      order: sql`id`,
      isGivenUp: sql`created_at < now() - make_interval(hours => ${giveUpAfterHours})`,
      facts: ({ id }) => ({ push: id }),
      async prepare() {
        const keys = await vapidKeys(services.db);
        return (push, lost) => sendOne(services, worker, keys, push, lost);
      },
    },
    worker,
  );
}

async function sendOne(
  { db, now }: Services,
  { kinds, post, site, signal }: PushWorker,
  keys: VapidKeys,
  push: Push,
  lost: AbortSignal,
): Promise<Verdict> {
  const browser = await findPushAddress(db, push.subscription_id);
  const words = browser && (await kinds[push.kind](db, push, site.currency));
  if (!words) return { state: 'cancelled', words: null };
  const title = shorten(words.title);
  const sender = site.contactEmail ? `mailto:${site.contactEmail}` : site.origin;
  const message = {
    headers: {
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      authorization: await vapidHeader(keys, browser.endpoint, sender, now()),
      ttl: String(giveUpAfterHours * 3600),
      topic: words.tag,
    },
    body: encryptPush(Buffer.from(JSON.stringify({ ...words, title })), browser),
  };
  const stop = signal ? AbortSignal.any([lost, signal]) : lost;
  return judge(db, push, await post(browser.endpoint, message, stop));
}

function judge(db: Db, push: Push, { status, retryAfterSeconds }: PushAnswer): Verdict {
  if (status >= 200 && status < 300) return { state: 'sent', words: null };
  const words = `the push service responded with status ${status}`;
  if (status === 404 || status === 410) {
    const forget = () => forgetDeadSubscription(db, push.subscription_id);
    return { state: 'cancelled', words, afterwards: forget };
  }
  if (status === 429 || status >= 500) {
    return { state: 'later', words, facts: { words }, atLeastSeconds: retryAfterSeconds };
  }
  return { state: 'failed', words, facts: { words } };
}

/** Shortens a title, since a push service accepts at most 4 kB. */
function shorten(title: string): string {
  return title.length <= longestTitle ? title : `${title.slice(0, longestTitle).toWellFormed()}…`;
}
