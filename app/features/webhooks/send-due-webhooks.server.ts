import { sql } from 'kysely';
import { publicSite } from '#app/features/site-settings/public-site.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import {
  deliverOutbox,
  isFree,
  type OutboxWorker,
  type Verdict,
} from '#app/platform/deliver-outbox.server.ts';
import {
  SafeFetchError,
  type SafeFetchOptions,
  safePost,
} from '#app/platform/safe-fetch.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { noteFailure, noteSuccess } from './note-endpoint-health.server.ts';
import { signWebhook } from './sign-webhook.ts';
import { openWebhookSecret } from './webhook-secret.server.ts';
import { type WebhookDelivery, writeWebhook } from './write-webhook.server.ts';

export interface WebhookWorker extends OutboxWorker {
  /** The only delivery to send, even to an endpoint that is paused or off. */
  deliveryId?: number;
  /** Fetch options that let tests reach their own server. */
  fetch?: Pick<SafeFetchOptions, 'allowPrivate' | 'resolve'> & { timeoutMs?: number };
}

type Services = Pick<AppServices, 'db' | 'env' | 'log' | 'now'>;

const timeoutMs = 5_000;
const mostBytes = 64 * 1024;

const isOpen = sql`is_active and (paused_until is null or paused_until <= now())`;

export const areWebhooksDue = () => sql`exists (
  select from webhook_endpoints e
   where ${isOpen} and (
     select true from webhook_deliveries
      where endpoint_id = e.id and due_at <= now() and ${isFree} order by due_at, id limit 1))`;

/**
 * Sends due deliveries, and returns the number of claimed ones. A retry has the same id. Every
 * endpoint has its own share of a batch, so that a failing one delays no other.
 */
export function sendDueWebhooks(services: Services, worker: WebhookWorker = {}): Promise<number> {
  const { db, env } = services;
  const only = worker.deliveryId;
  return deliverOutbox<WebhookDelivery>(
    services,
    {
      table: 'webhook_deliveries',
      noun: 'webhook',
      due: (batch) =>
        only === undefined
          ? sql`select due.id from webhook_endpoints e cross join lateral (
              select id from webhook_deliveries
               where endpoint_id = e.id and due_at <= now() and ${isFree}
               order by due_at, id limit ${batch} for update skip locked) due
             where ${isOpen}`
          : sql`select id from webhook_deliveries where id = ${only} and ${isFree} for update skip locked`,
      order: sql`due_at, id`,
      isGivenUp: sql`event = 'ping' or trying_since < now() - interval '48 hours'`,
      limits: { batch: 10, atOnce: 40, firstPauseSeconds: 30 },
      isOneBatch: only !== undefined,
      facts: ({ id, event, endpoint_id }) => ({ delivery: id, event, endpoint: endpoint_id }),
      async prepare() {
        const site = publicSite(await readSiteSettings(db), env.origin);
        return (delivery, lost) => sendOne(services, worker, site, delivery, lost);
      },
    },
    worker,
  );
}

async function sendOne(
  { db, log, now }: Services,
  worker: WebhookWorker,
  site: ReturnType<typeof publicSite>,
  delivery: WebhookDelivery,
  lost: AbortSignal,
): Promise<Verdict> {
  try {
    const at = now();
    const endpoint = await readEndpoint(db, delivery.endpoint_id);
    const body = endpoint && (await writeWebhook(db, delivery, site, at));
    if (!endpoint || body === null) return { state: 'cancelled', words: 'no longer public' };
    const { status } = await safePost(endpoint.url, body, {
      timeoutMs,
      ...worker.fetch,
      maxBytes: mostBytes,
      signal: lost,
      headers: {
        'content-type': 'application/json',
        ...signWebhook(endpoint.secrets, { id: delivery.message_id, at, body }),
      },
    });
    return judge(db, delivery, status, `responded with status ${status}`);
  } catch (error) {
    if (error instanceof SafeFetchError) return judge(db, delivery, null, error.message);
    log.error({ err: error, delivery: delivery.id }, 'a webhook could not be sent');
    return judge(db, delivery, null, 'the site could not write it');
  }
}

function judge(
  db: Db,
  { endpoint_id }: WebhookDelivery,
  status: number | null,
  words: string,
): Verdict {
  const more = { set: sql`answer_status = ${status}`, facts: { status, words } };
  if (status !== null && status >= 200 && status < 300) {
    const afterwards = () => noteSuccess(db, endpoint_id);
    return { state: 'sent', words: null, ...more, afterwards };
  }
  const afterwards = (pause: number) => noteFailure(db, endpoint_id, status, pause);
  return { state: 'later', words, ...more, afterwards };
}

async function readEndpoint(db: Db, id: number) {
  const row = await ask(db).row<{ url: string; secret: Buffer; old_secret: Buffer | null }>`
    select url, secret, case when old_secret_until > now() then old_secret end as old_secret
      from webhook_endpoints where id = ${id}`;
  if (!row) return null;
  const sealed = row.old_secret ? [row.secret, row.old_secret] : [row.secret];
  return {
    url: row.url,
    secrets: await Promise.all(sealed.map((one) => openWebhookSecret(db, id, one))),
  };
}
