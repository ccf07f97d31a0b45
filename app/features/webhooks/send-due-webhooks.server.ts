import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { publicSite } from '#app/features/site-settings/public-site.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { pauseSeconds } from '#app/platform/mail/send-due-mails.server.ts';
import {
  SafeFetchError,
  type SafeFetchOptions,
  safePost,
} from '#app/platform/safe-fetch.server.ts';
import type { Db } from '#database/connect.ts';
import { noteFailure, noteSuccess } from './note-endpoint-health.server.ts';
import { signWebhook } from './sign-webhook.ts';
import { openWebhookSecret } from './webhook-secret.server.ts';
import { type WebhookDelivery, writeWebhook } from './write-webhook.server.ts';

export interface WebhookWorker {
  signal?: AbortSignal;
  /** This one only, also to an endpoint that is paused or switched off. */
  deliveryId?: number;
  /** How the world is reached; tests reach their own machine. */
  fetch?: Pick<SafeFetchOptions, 'allowPrivate' | 'resolve'>;
  random?: () => number;
}

type Services = Pick<AppServices, 'db' | 'env' | 'log' | 'now'>;

const leaseSeconds = 60;
// So few that a batch is over well before its lease, even when every endpoint lets us wait.
const perEndpoint = 10;
const atOnce = 40;
const timeoutMs = 5_000;
const mostBytes = 64 * 1024;
export const giveUpAfterHours = 48;
const pauses = { firstPauseSeconds: 30, longestPauseSeconds: 4 * 3600 };

interface Outcome {
  state: 'sent' | 'later' | 'cancelled';
  status: number | null;
  words: string | null;
}

/**
 * Sends what is due, as the mail outbox does: any number of processes may, a delivery belongs to whoever holds its
 * lease, and one whose process died is sent again under the same id. Every endpoint has its own share of a batch, so
 * that a dead one holds up no other. Answers how many it claimed.
 */
export async function sendDueWebhooks(
  services: Services,
  worker: WebhookWorker = {},
): Promise<number> {
  let claimed = 0;
  while (!worker.signal?.aborted) {
    const owner = randomUUID();
    const deliveries = await claim(services.db, owner, worker.deliveryId);
    if (deliveries.length === 0) break;
    claimed += deliveries.length;
    const site = publicSite(await readSiteSettings(services.db), services.env.origin);
    const work = async () => {
      while (!worker.signal?.aborted) {
        const next = deliveries.shift();
        if (!next) return;
        await sendOne(services, worker, owner, next, site);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    await release(
      services.db,
      owner,
      deliveries.map(({ id }) => id),
    );
    if (worker.deliveryId !== undefined) break;
  }
  return claimed;
}

async function claim(db: Db, owner: string, only?: number): Promise<WebhookDelivery[]> {
  const isFree = sql`state = 'queued' and (lease_until is null or lease_until < now())`;
  const wanted =
    only === undefined
      ? sql`select due.id from webhook_endpoints e cross join lateral (
              select id from webhook_deliveries
               where endpoint_id = e.id and due_at <= now() and ${isFree}
               order by due_at, id limit ${perEndpoint} for update skip locked) due
             where e.is_active and (e.paused_until is null or e.paused_until <= now())`
      : sql`select id from webhook_deliveries where id = ${only} and ${isFree} for update skip locked`;
  const { rows } = await sql<WebhookDelivery>`
    update webhook_deliveries
       set lease_owner = ${owner}, lease_until = now() + make_interval(secs => ${leaseSeconds}),
           attempts = attempts + 1
     where id in (${wanted}) returning *`.execute(db);
  return rows;
}

async function sendOne(
  services: Services,
  worker: WebhookWorker,
  owner: string,
  delivery: WebhookDelivery,
  site: ReturnType<typeof publicSite>,
): Promise<void> {
  const { db, log } = services;
  const outcome = await trySending(services, worker, delivery, site);
  const pause = pauseSeconds(delivery.attempts, pauses, worker.random ?? Math.random);
  const { id, event, endpoint_id } = delivery;
  log.info({ delivery: id, event, endpoint: endpoint_id, ...outcome }, 'webhook');
  if (!(await note(db, owner, id, outcome, pause))) {
    log.warn({ delivery: id }, 'the lease of a webhook ran out before its outcome could be noted');
    return;
  }
  if (outcome.state === 'sent') await noteSuccess(db, endpoint_id);
  if (outcome.state === 'later') await noteFailure(db, endpoint_id, outcome.status, pause);
}

async function trySending(
  { db, log, now }: Services,
  worker: WebhookWorker,
  delivery: WebhookDelivery,
  site: ReturnType<typeof publicSite>,
): Promise<Outcome> {
  try {
    const at = now();
    const endpoint = await readEndpoint(db, delivery.endpoint_id);
    const body = endpoint && (await writeWebhook(db, delivery, site, at));
    if (!endpoint || body === null)
      return { state: 'cancelled', status: null, words: 'no longer public' };
    const { status } = await safePost(endpoint.url, body, {
      ...worker.fetch,
      timeoutMs,
      maxBytes: mostBytes,
      headers: {
        'content-type': 'application/json',
        ...signWebhook(endpoint.secrets, { id: delivery.message_id, at, body }),
      },
    });
    if (status >= 200 && status < 300) return { state: 'sent', status, words: null };
    return { state: 'later', status, words: `answered with status ${status}` };
  } catch (error) {
    if (error instanceof SafeFetchError) {
      return { state: 'later', status: null, words: error.message };
    }
    log.error({ err: error, delivery: delivery.id }, 'a webhook could not be sent');
    return { state: 'later', status: null, words: 'the site could not write it' };
  }
}

async function readEndpoint(
  db: Db,
  id: number,
): Promise<{ url: string; secrets: Buffer[] } | null> {
  const { rows } = await sql<{ url: string; secret: Buffer; old_secret: Buffer | null }>`
    select url, secret, case when old_secret_until > now() then old_secret end as old_secret
      from webhook_endpoints where id = ${id}`.execute(db);
  const row = rows[0];
  if (!row) return null;
  const sealed = row.old_secret ? [row.secret, row.old_secret] : [row.secret];
  return {
    url: row.url,
    secrets: await Promise.all(sealed.map((one) => openWebhookSecret(db, id, one))),
  };
}

/**
 * False when the lease is no longer ours, so that the row is another's to judge. What arrived has arrived, though its
 * endpoint was switched off meanwhile; what did not is not tried again.
 */
async function note(
  db: Db,
  owner: string,
  id: number,
  { state, status, words }: Outcome,
  pause: number,
): Promise<boolean> {
  const { rows } = await sql`
    update webhook_deliveries set
      state = case
        when ${state} <> 'later' then ${state}
        when event = 'ping' or trying_since < now() - make_interval(hours => ${giveUpAfterHours}) then 'failed'
        else state end,
      sent_at = case when ${state} = 'sent' then now() end,
      due_at = case when ${state} = 'later' then now() + make_interval(secs => ${pause}) else due_at end,
      answer_status = ${status}, last_error = ${words}, lease_until = null, lease_owner = null
    where id = ${id} and lease_owner = ${owner} and state in ('queued', 'cancelled')
    returning id`.execute(db);
  return rows.length > 0;
}

/** Those that were claimed and not begun when the process was told to stop go back untried. */
async function release(db: Db, owner: string, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('webhook_deliveries')
    .set((eb) => ({ lease_until: null, lease_owner: null, attempts: eb('attempts', '-', 1) }))
    .where('id', 'in', ids)
    .where('lease_owner', '=', owner)
    .execute();
}
