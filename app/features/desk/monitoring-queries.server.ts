import { lastDoneAt } from '#app/platform/audit/audit-queries.server.ts';
import { listJobRuns } from '#app/platform/list-job-runs.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/** feeds and jobs; each is a separate time series in monitoring */
const mostNamed = 200;
/** emails; unsent price alerts are counted only among this many of the newest */
const newestMails = 5_000;

export type Monitored = Awaited<ReturnType<typeof readMonitored>>;

/**
 * Returns the metrics for `/metrics` that come from the database. Monitoring polls them every few
 * seconds.
 */
export async function readMonitored(db: Db) {
  const [figures, backupAt, outboxes, newest, feeds, jobs, standbys] = await Promise.all([
    readTotals(db),
    lastDoneAt(db, 'site.backup'),
    countOutboxes(db),
    countNewest(db),
    listFeedAges(db),
    listJobRuns(db),
    listStandbys(db),
  ]);
  return {
    ...figures,
    backupAt,
    outboxes,
    newest,
    feeds,
    jobs: jobs.slice(0, mostNamed),
    standbys,
  };
}

interface Totals {
  liveDeals: number;
  /** The highest id ever logged. Unused ids make it slightly higher than the number of entries. */
  pricesLogged: number;
  alertsFired: number;
  clicks: number;
  /**
   * The longest delay, in seconds, of an alert email sent in the last 15 minutes, or `null` if
   * there was none.
   */
  alertMailDelaySeconds: number | null;
}

async function readTotals(db: Db): Promise<Totals> {
  const totals = await ask(db).row<Totals>`
    select (select value from site_counters where name = 'live_deals') as "liveDeals",
           coalesce(pg_sequence_last_value(pg_get_serial_sequence('price_log', 'id')), 0) as "pricesLogged",
           coalesce(pg_sequence_last_value(pg_get_serial_sequence('price_alert_events', 'id')), 0) as "alertsFired",
           (select coalesce(sum(count), 0)::bigint from click_days where kind = 'site' and place_id = 0) as clicks,
           (select extract(epoch from max(sent_at - created_at))::float8 from mail_outbox
             where id > (select max(id) from mail_outbox) - ${newestMails}::int
               and kind in ('price-alert', 'price-alert-digest') and sent_at > now() - interval '15 minutes'
           ) as "alertMailDelaySeconds"`;
  if (!totals) throw new Error('The site’s metrics could not be read.');
  return totals;
}

interface OutboxState {
  outbox: 'mail' | 'push' | 'webhook';
  waiting: number;
  /** The age of the oldest due row. */
  oldestSeconds: number;
}

/** Counts waiting rows, which are indexed. */
async function countOutboxes(db: Db): Promise<OutboxState[]> {
  return ask(db).rows<OutboxState>`
    select outbox, count(due_at) as waiting,
           greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::float8 as "oldestSeconds"
      from (values ('mail'), ('push'), ('webhook')) named (outbox)
      left join (select 'mail' as outbox, due_at from mail_outbox where state = 'queued'
                 union all select 'push', due_at from push_outbox where state = 'queued'
                 union all select 'webhook', due_at from webhook_deliveries where state = 'queued') queued using (outbox)
     group by outbox`;
}

const newestCounted = 1_000;

/**
 * Counts the results of the newest rows of each outbox, which suffices to show a rise in failures.
 */
async function countNewest(db: Db) {
  return ask(db).rows<{ outbox: OutboxState['outbox']; state: string; count: number }>`
    select outbox, state, count(*) from (
      (select 'mail' as outbox, state::text from mail_outbox order by id desc limit ${newestCounted})
      union all (select 'push', state::text from push_outbox order by id desc limit ${newestCounted})
      union all (select 'webhook', state::text from webhook_deliveries order by id desc limit ${newestCounted})) newest
     group by outbox, state order by outbox, state`;
}

/** Returns the age of active feeds since the last complete read, or since their creation. */
async function listFeedAges(db: Db) {
  return ask(db).rows<{ id: number; seconds: number; everySeconds: number | null }>`
    select s.id, s.schedule_minutes * 60 as "everySeconds",
           extract(epoch from now() - coalesce(last.finished_at, s.created_at))::float8 as seconds
      from feed_sources s
      left join lateral (select finished_at from import_runs r
                          where r.feed_source_id = s.id and not r.is_dry_run and r.state in ('done', 'unchanged')
                          order by r.id desc limit 1) last on true
     where s.is_active order by s.id limit ${mostNamed}`;
}

/** Lists the standbys. The list is empty if the site's role may not see them (pg_monitor). */
async function listStandbys(db: Db) {
  return ask(db).rows<{ name: string; lagSeconds: number }>`
    select application_name as name, max(coalesce(extract(epoch from replay_lag), 0))::float8 as "lagSeconds"
      from pg_stat_replication where state = 'streaming' group by 1 order by 1 limit 20`;
}
