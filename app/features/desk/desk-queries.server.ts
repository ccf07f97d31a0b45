import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import {
  isReportedExpired,
  isReportedMisplaced,
} from '#app/features/deals/deal-conditions.server.ts';
import { countBrokenLinks } from '#app/features/deals/link-check-queries.server.ts';
import { lastDoneAt } from '#app/platform/audit/audit-queries.server.ts';
import type { AttentionCounts } from './describe-attention.ts';

export interface AdminStats {
  /** The number of active deals; `featuredDeals` also counts only active ones. */
  deals: number;
  featuredDeals: number;
  merchants: number;
  featuredMerchants: number;
  categories: number;
  users: number;
}

export async function readAdminStats(db: Db): Promise<AdminStats> {
  const stats = await ask(db).row<AdminStats>`
    select d.active as deals, d.featured as "featuredDeals", m.total as merchants, m.featured as "featuredMerchants",
           (select count(*) from categories) as categories, u.value as users
      from (select count(*) as active, count(*) filter (where is_featured) as featured from deals where is_active) d,
           (select count(*) as total, count(*) filter (where is_featured) as featured from merchants) m,
           (select value from site_counters where name = 'all_users') u`;
  if (!stats) throw new Error('The shop’s statistics could not be read.');
  return stats;
}

type CountedHere = Omit<AttentionCounts, 'brokenSettings' | 'heldMailing' | 'silentStores'>;

/** Counts items that need attention. For each source, only the latest real run is considered. */
export async function countAttention(db: Db): Promise<CountedHere> {
  const counts = await ask(db).row<Omit<CountedHere, 'brokenLinks'>>`
    with latest as (
      select distinct on (coalesce(feed_source_id, -id)) state from import_runs
       where not is_dry_run and started_at > now() - interval '30 days'
       order by coalesce(feed_source_id, -id), id desc
    )
    select (select count(*) from deals where held_price is not null) as "heldPrices",
           (select count(*) from deals where waits_for_price) as "waitingDeals",
           (select count(*) from product_questions where not is_same) as "doubtfulProducts",
           (select count(*) from match_suggestions) as "suggestedMatches",
           (select count(*) from mail_outbox where state = 'failed') as "failedMails",
           (select count(*) from mail_outbox
             where state = 'queued' and due_at < now() - interval '15 minutes') as "lateMails",
           (select count(*) from latest where state in ('failed', 'interrupted')) as "failedImports",
           (select count(*) from latest where state = 'asking') as "askingImports",
           (select count(*) from feed_sources s
             where s.is_active and s.schedule_minutes is not null
               and now() - make_interval(mins => 2 * s.schedule_minutes) > coalesce(
                     (select max(finished_at) from import_runs r
                       where r.feed_source_id = s.id and not r.is_dry_run and r.state in ('done', 'unchanged')),
                     s.created_at)) as "staleFeeds",
           (select count(*) from deals where is_active and is_expired) as "expiredDeals",
           (select count(*) from deals where is_active and image_url is null) as "dealsWithoutPicture",
           (select count(*) from deals d where ${isReportedExpired}) as "reportedDeals",
           (select count(*) from deals d where ${isReportedMisplaced}) as "misplacedDeals",
           (select count(*) from contact_messages where not is_read) as "unreadMessages",
           (select count(*) from forecast_pass where is_hidden) as "wrongForecasts",
           (select count(*) from webhook_endpoints where switched_off_at is not null) as "webhooksOff",
           (select count(*) from channels where switched_off_at is not null) as "channelsOff"`;
  if (!counts) throw new Error('The attention list could not be read.');
  return { ...counts, brokenLinks: await countBrokenLinks(db) };
}

export interface DayOfActivity {
  /** A day in UTC, such as `2026-11-21`. */
  day: string;
  clicks: number;
  alertMails: number;
  imports: number;
}

/** Returns the thirty days that end with the day of `now`, oldest first. */
export async function listActivity(db: Db, now: Date): Promise<DayOfActivity[]> {
  const mails = await countAlertMails(db, now);
  const days = await ask(db).rows<Omit<DayOfActivity, 'alertMails'>>`
    with days as (
      select generate_series(today - 29, today, interval '1 day')::date as day
        from (select (${now}::timestamptz at time zone 'UTC')::date as today) t
    ), clicked as (
      select day, count as n from click_days
       where kind = 'site' and place_id = 0 and day >= (select min(day) from days)
    ), imported as (
      select (started_at at time zone 'UTC')::date as day, count(*) as n from import_runs
       where not is_dry_run and started_at > ${now}::timestamptz - interval '31 days' group by 1
    )
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(c.n, 0) as clicks, coalesce(i.n, 0) as imports
      from days d left join clicked c using (day) left join imported i using (day)
     order by d.day`;
  return days.map((one) => ({ ...one, alertMails: mails.get(one.day) ?? 0 }));
}

/**
 * Counts are cached per day, since a large site sends tens of thousands of emails a day. Days
 * before yesterday no longer change.
 */
const alertMails = new WeakMap<Db, Map<string, number>>();

async function countAlertMails(db: Db, now: Date): Promise<ReadonlyMap<string, number>> {
  const dayOf = (daysAgo: number) =>
    new Date(now.getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const known = alertMails.get(db) ?? new Map<string, number>();
  let first = 30;
  while (first > 1 && known.has(dayOf(first))) first -= 1;
  const counted = await ask(db).rows<{ day: string; n: number }>`
    select to_char(sent_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*) as n from mail_outbox
     where state = 'sent' and kind in ('price-alert', 'price-alert-digest')
       and sent_at >= ${dayOf(first)}::date::timestamp at time zone 'UTC' group by 1`;
  const counts = new Map(counted.map(({ day, n }) => [day, n]));
  for (let ago = first; ago > 1; ago -= 1) known.set(dayOf(ago), counts.get(dayOf(ago)) ?? 0);
  alertMails.set(db, known);
  return new Map([...known, ...counts]);
}

/** Returns whether `deals seed --remove-demo` would remove anything. */
export async function hasDemoData(db: Db): Promise<boolean> {
  const found = await ask(db).value<boolean>`
    select exists (select from deals where is_demo) or exists (select from categories where is_demo)
        or exists (select from merchants where is_demo) or exists (select from blog_posts where is_demo) as found`;
  return found ?? false;
}

/** Returns the delay of the email queue. */
export async function readMailLag(db: Db) {
  const lag = await ask(db).row<{
    waiting: number;
    oldestDueAt: Date | null;
    lastSentAt: Date | null;
  }>`
    select count(*) as waiting, min(due_at) as "oldestDueAt",
           (select max(sent_at) from mail_outbox where state = 'sent') as "lastSentAt"
      from mail_outbox where state = 'queued'`;
  if (!lag) throw new Error('The email queue could not be read.');
  return lag;
}

/** Returns the number of active feeds, and the time of the last complete read of any of them. */
export async function readFeedAge(db: Db): Promise<{ sources: number; lastAt: Date | null }> {
  const age = await ask(db).row<{ sources: number; lastAt: Date | null }>`
    select (select count(*) from feed_sources where is_active) as sources,
           (select max(finished_at) from import_runs
             where not is_dry_run and state in ('done', 'unchanged')) as "lastAt"`;
  return age ?? { sources: 0, lastAt: null };
}

/** Returns the setup steps that the owner has completed, as far as the database shows. */
export async function readFirstSteps(db: Db) {
  const hasImported = await ask(db).value<boolean>`
    select exists (select from import_runs where not is_dry_run and state in ('done', 'unchanged'))`;
  return {
    hasImported: hasImported ?? false,
    hasBackup: (await lastDoneAt(db, 'site.backup')) !== null,
  };
}
