import { randomUUID } from 'node:crypto';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';
import { pauseSeconds } from '#app/platform/mail/send-due-mails.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import { encryptPush } from '#app/platform/push/encrypt-push.server.ts';
import type { PostPush, PushAnswer } from '#app/platform/push/post-push.server.ts';
import { vapidHeader, vapidKeys, type VapidKeys } from '#app/platform/push/vapid.server.ts';
import { findFiredAlert, type FiredAlert } from './fired-alert-queries.server.ts';
import type { AlertPush } from './alert-push.ts';
import {
  claimPushes,
  type DuePush,
  forgetDeadSubscription,
  notePush,
  type PushOutcome,
  releasePushes,
} from './push-outbox-queries.server.ts';

export interface PushWorker {
  post: PostPush;
  site: Pick<MailSite, 'currency' | 'contactEmail'>;
  signal?: AbortSignal;
  /** 0 up to 1, for the jitter. */
  random?: () => number;
}

type Services = Pick<AppServices, 'db' | 'log' | 'now'>;

const batch = 20;
const atOnce = 5;
/** A price of yesterday is no news: neither we nor the push service keep it longer. */
const giveUpAfterHours = 24;
const pauses = { firstPauseSeconds: 60, longestPauseSeconds: 4 * 3600 };
const longestTitle = 120;

/**
 * Sends every push that is due, in batches. Any number of processes may do so at once; one that dies lets its leases
 * run out, and the next sends the same message again under the same topic, which replaces one that still waits.
 * Answers how many it claimed.
 */
export async function sendDuePushes(services: Services, worker: PushWorker): Promise<number> {
  const keys = await vapidKeys(services.db);
  let claimed = 0;
  while (!worker.signal?.aborted) {
    const owner = randomUUID();
    const waiting = await claimPushes(services.db, owner, batch);
    if (waiting.length === 0) break;
    claimed += waiting.length;
    const work = async () => {
      for (let push = waiting.shift(); push; push = waiting.shift()) {
        if (worker.signal?.aborted) return;
        await sendOne(services, worker, keys, owner, push);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    if (worker.signal?.aborted) await releasePushes(services.db, owner);
  }
  return claimed;
}

async function sendOne(
  services: Services,
  worker: PushWorker,
  keys: VapidKeys,
  owner: string,
  push: DuePush,
): Promise<void> {
  const { db, log, now } = services;
  const alert = await findFiredAlert(db, push.event_id);
  if (!alert || alert.isEnded || !alert.isStillMet) {
    await notePush(db, owner, push.id, { state: 'cancelled' });
    return;
  }
  let outcome: PushOutcome | 'gone';
  try {
    const message = {
      headers: {
        'content-type': 'application/octet-stream',
        'content-encoding': 'aes128gcm',
        authorization: vapidHeader(
          keys,
          push.endpoint,
          `mailto:${worker.site.contactEmail}`,
          now(),
        ),
        ttl: String(giveUpAfterHours * 3600),
        topic: `alert-${alert.alertId}`,
      },
      body: encryptPush(Buffer.from(JSON.stringify(writePush(alert, worker.site.currency))), push),
    };
    const answer = await worker.post(push.endpoint, message, worker.signal);
    outcome = judge(answer, push, worker.random ?? Math.random, now());
  } catch (error) {
    const words = error instanceof Error ? error.message : 'no answer';
    outcome = later(words, 0, push, worker.random ?? Math.random, now());
  }
  if (outcome === 'gone') await forgetDeadSubscription(db, push.subscription_id);
  else await notePush(db, owner, push.id, outcome);
  if (outcome !== 'gone' && outcome.state === 'failed') {
    log.warn({ push: push.id, words: outcome.words }, 'a push was given up');
  }
}

function judge(
  { status, retryAfterSeconds }: PushAnswer,
  push: DuePush,
  random: () => number,
  now: Date,
): PushOutcome | 'gone' {
  if (status >= 200 && status < 300) return { state: 'sent' };
  if (status === 404 || status === 410) return 'gone';
  const words = `the push service answered with status ${status}`;
  if (status === 429 || status >= 500)
    return later(words, retryAfterSeconds ?? 0, push, random, now);
  return { state: 'failed', words };
}

function later(
  words: string,
  atLeastSeconds: number,
  { attempts, created_at }: DuePush,
  random: () => number,
  now: Date,
): PushOutcome {
  const age = now.getTime() - created_at.getTime();
  if (age > giveUpAfterHours * 3_600_000) return { state: 'failed', words };
  const pause = Math.max(pauseSeconds(attempts, pauses, random), atLeastSeconds);
  return { state: 'queued', words, pauseSeconds: Math.min(pause, pauses.longestPauseSeconds * 2) };
}

/** Kept small: a title, the prices, the way to the deal. */
function writePush(alert: FiredAlert, currency: string): AlertPush {
  const { title, oldPrice, newPrice, merchantName } = alert;
  const was =
    oldPrice !== null && oldPrice > newPrice ? `, was ${formatMoney(oldPrice, currency)}` : '';
  const news = alert.kind === 'back_in_stock' ? 'Back in stock at' : 'Now';
  return {
    title: title.length <= longestTitle ? title : `${title.slice(0, longestTitle).toWellFormed()}…`,
    body: `${news} ${formatMoney(newPrice, currency)}${was} at ${merchantName.slice(0, 60)}`,
    path: `/deals/${alert.slug}`,
    tag: `alert-${alert.alertId}`,
  };
}
