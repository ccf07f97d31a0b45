import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type pg from 'pg';
import { type Monitored, readMonitored } from '#app/features/desk/monitoring-queries.server.ts';
import { readVersion } from '#app/features/desk/read-system-info.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { RouteNames } from '#server/route-names.ts';

/** Statistics of the process itself. */
export interface Measured {
  services: AppServices;
  pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;
  /** Statistics of the page cache, or null if the cache is off. */
  cache: {
    stats: { hits: number; stale: number; misses: number; staleOnError: number };
    size: { entries: number; bytes: number };
  } | null;
  /** Statistics of the standbys, or null if there are none. */
  standbys?: { reads: { name: string; reads: number }[] } | null;
  /** The URL patterns of pages, such as `/deals/:slug`. */
  patterns: readonly string[];
}

export interface Metrics {
  /** Counts the request when its response ends or the client disconnects. */
  watch(request: IncomingMessage, response: ServerResponse): void;
  /** Returns all metrics in the Prometheus text format. */
  describe(): Promise<string>;
  contentType: string;
}

/** seconds; from imperceptible delays to unacceptable ones */
const buckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** The status 499, as in the log: the client disconnected early. */
const gone = 499;

/**
 * Creates the metrics of this process and its site. Route names come from `app/routes.ts`, and jobs
 * and feeds are limited, so there are never more than 2,000 series, whatever visitors request.
 */
export async function createMetrics(measured: Measured): Promise<Metrics> {
  // Loads the library only if metrics are enabled.
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } =
    await import('@prometheus-io/client');
  const { env } = measured.services;
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const routes = new RouteNames(measured.patterns);
  const requests = new Counter({
    name: 'dealhub_http_requests_total',
    help: 'Responses by route and status.',
    labelNames: ['route', 'status'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'dealhub_http_request_duration_seconds',
    help: 'From the request to the end of its response.',
    labelNames: ['area'] as const,
    buckets,
    registers,
  });
  new Gauge({
    name: 'dealhub_build_info',
    help: 'Always 1; the labels describe the running version.',
    labelNames: ['version', 'node', 'role'] as const,
    registers,
  }).set({ version: await readVersion(), node: process.version, role: env.role }, 1);

  const told = figures.map(({ name, help, labels = [], read }) => {
    const Kind = name.endsWith('_total') ? Counter : Gauge;
    return { metric: new Kind({ name, help, labelNames: [...labels], registers }), read };
  });

  return {
    contentType: registry.contentType,
    watch(request, response) {
      const startedAt = performance.now();
      // Node warns about more than ten listeners, and a streamed page has more.
      response.setMaxListeners(response.getMaxListeners() + 1);
      response.once('close', () => {
        const route = routes.of(request.url ?? '');
        const status = response.writableFinished ? response.statusCode : gone;
        requests.inc({ route, status });
        durations.observe({ area: areaOf(route) }, (performance.now() - startedAt) / 1000);
      });
    },
    async describe() {
      const site = await readMonitored(measured.services.db).catch(() => null);
      for (const { metric, read } of told) {
        metric.reset();
        for (const { value, ...labels } of read({ ...measured, site })) {
          if (value !== null) metric.inc(labels, value);
          else metric.remove(labels); // A series without labels would be reported as zero.
        }
      }
      return registry.metrics();
    },
  };
}

interface Figure {
  name: string;
  help: string;
  labels?: readonly string[];
  read(known: Measured & { site: Monitored | null }): ({ value: number | null } & Labels)[];
}

type Labels = Partial<Record<'state' | 'outbox' | 'job' | 'feed' | 'standby', string>>;

/**
 * Metrics that are read on each scrape. If the database is unreachable, the site's metrics are
 * missing, and `dealhub_database_up` is 0.
 */
const figures: readonly Figure[] = [
  {
    name: 'dealhub_database_up',
    help: '1 while the database responds.',
    read: ({ site }) => [{ value: site ? 1 : 0 }],
  },
  {
    name: 'dealhub_database_connections',
    help: 'Connections for pages, and requests that wait for one.',
    labels: ['state'],
    read: ({ pool }) => [
      { state: 'used', value: pool.totalCount - pool.idleCount },
      { state: 'idle', value: pool.idleCount },
      { state: 'waiting', value: pool.waitingCount },
    ],
  },
  {
    name: 'dealhub_page_cache_reads_total',
    help: 'Pages by source: cached, stale while revalidating, rendered, or stale because no newer one was available.',
    labels: ['state'],
    read: ({ cache }) =>
      cache
        ? [
            { state: 'hit', value: cache.stats.hits },
            { state: 'stale', value: cache.stats.stale },
            { state: 'miss', value: cache.stats.misses },
            { state: 'stood_in', value: cache.stats.staleOnError },
          ]
        : [],
  },
  {
    name: 'dealhub_page_cache_bytes',
    help: 'Memory used by cached pages.',
    read: ({ cache }) => [{ value: cache?.size.bytes ?? null }],
  },
  {
    name: 'dealhub_deals_live',
    help: 'Live deals.',
    read: ({ site }) => [{ value: site?.liveDeals ?? null }],
  },
  {
    name: 'dealhub_prices_logged_total',
    help: 'Prices ever logged.',
    read: ({ site }) => [{ value: site?.pricesLogged ?? null }],
  },
  {
    name: 'dealhub_alerts_fired_total',
    help: 'Price alerts ever fired.',
    read: ({ site }) => [{ value: site?.alertsFired ?? null }],
  },
  {
    name: 'dealhub_alert_mail_delay_seconds',
    help: 'The longest delay of the alert emails sent in the last 15 minutes.',
    read: ({ site }) => [{ value: site?.alertMailDelaySeconds ?? null }],
  },
  {
    name: 'dealhub_clicks_total',
    help: 'Clicks on links to stores.',
    read: ({ site }) => [{ value: site?.clicks ?? null }],
  },
  {
    name: 'dealhub_outbox_waiting',
    help: 'Outbox rows waiting to be sent.',
    labels: ['outbox'],
    read: ({ site }) =>
      (site?.outboxes ?? []).map(({ outbox, waiting }) => ({ outbox, value: waiting })),
  },
  {
    name: 'dealhub_outbox_newest',
    help: 'The newest thousand rows of each outbox, by state.',
    labels: ['outbox', 'state'],
    read: ({ site }) =>
      (site?.newest ?? []).map(({ outbox, state, count }) => ({ outbox, state, value: count })),
  },
  {
    name: 'dealhub_outbox_oldest_seconds',
    help: 'Time since the oldest waiting row was due.',
    labels: ['outbox'],
    read: ({ site }) =>
      (site?.outboxes ?? []).map(({ outbox, oldestSeconds }) => ({ outbox, value: oldestSeconds })),
  },
  {
    name: 'dealhub_feed_age_seconds',
    help: 'Time since a feed was last read completely.',
    labels: ['feed'],
    read: ({ site }) =>
      (site?.feeds ?? []).map(({ id, seconds }) => ({ feed: String(id), value: seconds })),
  },
  {
    name: 'dealhub_feed_interval_seconds',
    help: 'How often the feed should be read. Missing if the feed is read manually.',
    labels: ['feed'],
    read: ({ site }) =>
      (site?.feeds ?? []).map(({ id, everySeconds }) => ({
        feed: String(id),
        value: everySeconds,
      })),
  },
  {
    name: 'dealhub_job_last_run_timestamp_seconds',
    help: 'When a job on the schedule last ran.',
    labels: ['job'],
    read: ({ site }) =>
      (site?.jobs ?? []).map(({ name, lastRunAt }) => ({
        job: name,
        value: lastRunAt && lastRunAt.getTime() / 1000,
      })),
  },
  {
    name: 'dealhub_job_last_success_timestamp_seconds',
    help: 'When a scheduled job last succeeded.',
    labels: ['job'],
    read: ({ site }) =>
      (site?.jobs ?? []).map(({ name, lastSuccessAt }) => ({
        job: name,
        value: lastSuccessAt && lastSuccessAt.getTime() / 1000,
      })),
  },
  {
    name: 'dealhub_job_failures',
    help: 'Failures of a job within eight days.',
    labels: ['job'],
    read: ({ site }) =>
      (site?.jobs ?? []).map(({ name, failures }) => ({ job: name, value: failures })),
  },
  {
    name: 'dealhub_backup_age_seconds',
    help: 'Time since the last backup; missing if there is none.',
    read: ({ site, services }) => {
      const at = site?.backupAt;
      return [{ value: at ? (services.now().getTime() - at.getTime()) / 1000 : null }];
    },
  },
  {
    name: 'dealhub_standby_reads_total',
    help: 'Pages and responses that a standby served.',
    labels: ['standby'],
    read: ({ standbys }) =>
      (standbys?.reads ?? []).map(({ name, reads }) => ({ standby: name, value: reads })),
  },
  {
    name: 'dealhub_standby_lag_seconds',
    help: 'How far a standby lags behind the primary, if the site may see that.',
    labels: ['standby'],
    read: ({ site }) =>
      (site?.standbys ?? []).map(({ name, lagSeconds }) => ({ standby: name, value: lagSeconds })),
  },
];

function areaOf(route: string): string {
  if (/^\/(?:assets|media)\//.test(route)) return 'files';
  const [, first = ''] = route.split('/', 2);
  return ['admin', 'account', 'api', 'health'].includes(first) ? first : 'visitors';
}

/** Creates the server for Prometheus, on a port that visitors never reach. */
export function createMetricsServer(metrics: Metrics): Server {
  const plain = 'text/plain; charset=utf-8';
  return createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': plain }).end('Not found\n');
      return;
    }
    metrics.describe().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () =>
        response.writeHead(500, { 'content-type': plain }).end('The metrics could not be read.\n'),
    );
  });
}
