import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { pauseSeconds } from '#app/platform/deliver-outbox.server.ts';
import type { Env } from '#app/platform/env.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { describeUnlisted, hasPublicName } from './describe-unlisted.ts';
import { discoveryServices, type DiscoveryService } from './discovery-services.ts';
import { type DiscoveryFetch, type Notified, notifyService } from './notify-service.server.ts';

type Services = Pick<AppServices, 'db' | 'env' | 'log'>;

export interface DiscoveryWorker {
  signal?: AbortSignal;
  fetch?: DiscoveryFetch;
  /** Returns a random number from 0 to 1, for jitter. */
  random?: () => number;
}

/** The maximum number of URLs per request that IndexNow accepts. */
export const mostAddresses = 10_000;
/** minutes; changes to a URL within this time are sent once */
export const settleMinutes = 3;
/**
 * seconds between two requests to a service; together with `mostAddresses`, this limits the rate
 */
const restSeconds = 60;
/** seconds; longer than all requests of one batch take */
const leaseSeconds = 90;
const pauses = { firstPauseSeconds: 60, longestPauseSeconds: 4 * 3600 };
/** seconds; the longest pause that a service may request */
const longestWish = 24 * 3600;

/** The condition under which a batch may be sent to service `s` now. */
const isReady = sql`s.stopped_at is null and s.due_at <= now()
  and (s.lease_until is null or s.lease_until < now())
  and (select q.queued_at from discovery_queue q where q.service = s.name order by q.id limit 1)
        <= now() - make_interval(mins => ${settleMinutes})`;

export const isDiscoveryDue = ({ origin }: Pick<Env, 'origin'>) =>
  hasPublicName(origin)
    ? sql`exists (select from discovery_services s where ${isReady})`
    : sql`false`;

/**
 * Sends one batch to each service that is due. A lease on its row ensures that only one process
 * sends. Delivery is at least once: after a crash the batch is sent again.
 */
export async function sendDiscovery(services: Services, worker: DiscoveryWorker = {}) {
  const { db, env } = services;
  const settings = await readSiteSettings(db);
  if (describeUnlisted(settings, env.origin) !== null) {
    await ask(db).rows`
      update discovery_services set due_at = now() + make_interval(secs => ${restSeconds})`;
    return;
  }
  for (const service of discoveryServices) {
    if (!worker.signal?.aborted) await sendBatch(services, settings, service, worker);
  }
}

async function sendBatch(
  services: Services,
  settings: SiteSettings,
  service: DiscoveryService,
  worker: DiscoveryWorker,
) {
  const { db, log } = services;
  const owner = randomUUID();
  const claimed = await ask(db).row<{ failures: number }>`
    update discovery_services s
       set lease_owner = ${owner}, lease_until = now() + make_interval(secs => ${leaseSeconds})
     where s.name = ${service} and ${isReady} returning failures`;
  if (!claimed) return;
  const { ids, paths } = await readBatch(db, service);
  const notified = await notifyService(services, settings, service, paths, {
    ...worker.fetch,
    signal: worker.signal,
  }).catch((error: unknown): Notified => {
    log.error({ err: error, service }, 'a discovery service could not be notified');
    return { state: 'later', words: 'the site could not write it', afterSeconds: null };
  });
  const failures = claimed.failures + 1;
  const pause =
    notified.state === 'later'
      ? Math.max(
          pauseSeconds(failures, pauses, worker.random ?? Math.random),
          Math.min(notified.afterSeconds ?? 0, longestWish),
        )
      : restSeconds;
  const isStored = await storeOutcome(db, { service, owner, notified, pause, ids, paths });
  const facts = { service, addresses: paths.length, outcome: notified.state, isStored };
  if (notified.state === 'sent') log.info(facts, 'discovery');
  else log.warn(facts, 'discovery');
}

/** Returns the oldest rows, and all other rows with the same URLs. */
async function readBatch(db: Db, service: DiscoveryService) {
  const rows = await ask(db).rows<{ id: number; path: string }>`
    with oldest as (
      select path from discovery_queue where service = ${service} order by id limit ${mostAddresses}
    )
    select id, path from discovery_queue
     where service = ${service} and path in (select path from oldest) order by id`;
  return { ids: rows.map(({ id }) => id), paths: [...new Set(rows.map(({ path }) => path))] };
}

/** Stores the outcome of a batch, unless another process took over. */
function storeOutcome(
  db: Db,
  {
    service,
    owner,
    notified,
    pause,
    ids,
    paths,
  }: {
    service: DiscoveryService;
    owner: string;
    notified: Notified;
    pause: number;
    ids: number[];
    paths: string[];
  },
): Promise<boolean> {
  const isDone = notified.state === 'sent' || notified.state === 'off';
  const words = 'words' in notified ? notified.words.slice(0, 500) : null;
  const isSent = notified.state === 'sent';
  return db.transaction().execute(async (tx) => {
    const own = await ask(tx).row`
      update discovery_services
         set lease_owner = null, lease_until = null, due_at = now() + make_interval(secs => ${pause}),
             sent_at = case when ${isSent} then now() else sent_at end,
             sent_count = case when ${isSent} then ${paths.length}::int else sent_count end,
             failures = case when ${isDone} then 0 else failures + 1 end,
             failed_at = case when ${isDone} then failed_at else now() end,
             last_error = case when ${isDone} then null else ${words}::text end,
             stopped_at = case when ${notified.state === 'stopped'} then now() end
       where name = ${service} and lease_owner = ${owner} returning name`;
    if (!own) return false;
    if (isDone) await ask(tx).rows`delete from discovery_queue where id = any(${ids})`;
    return true;
  });
}
