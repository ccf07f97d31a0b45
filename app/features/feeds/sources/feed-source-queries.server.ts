import { type Selectable, sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';

export type FeedSourceRow = Selectable<Database['feed_sources']> & { merchant: string };

export interface SourceOverview {
  id: number;
  name: string;
  kind: FeedSourceRow['kind'];
  merchant: string;
  format: string;
  schedule_minutes: number | null;
  is_active: boolean;
  next_run_at: Date | null;
  live_deals: number;
  last_run_id: number | null;
  last_state: string | null;
  last_error: string | null;
  last_at: Date | null;
}

export async function findFeedSource(db: Db, id: number): Promise<FeedSourceRow | null> {
  const row = await db
    .selectFrom('feed_sources')
    .innerJoin('merchants', 'merchants.id', 'feed_sources.merchant_id')
    .selectAll('feed_sources')
    .select('merchants.name as merchant')
    .where('feed_sources.id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** All sources by name: there are as many as a person set up. */
export async function listFeedSources(db: Db): Promise<SourceOverview[]> {
  const { rows } = await sql<SourceOverview>`
    select s.id, s.name, s.kind, m.name as merchant, s.format, s.schedule_minutes, s.is_active, s.next_run_at,
           (select count(*) from deals d where d.feed_source_id = s.id and d.is_active and not d.is_expired) as live_deals,
           r.id as last_run_id, r.state as last_state, r.error as last_error, r.started_at as last_at
      from feed_sources s join merchants m on m.id = s.merchant_id
      left join lateral (
        select id, state, error, started_at from import_runs
         where feed_source_id = s.id and not is_dry_run order by id desc limit 1) r on true
     order by lower(s.name), s.id`.execute(db);
  return rows;
}

/** Takes what a source needs to be fetched again soon: shared out over a tenth of its pause, so that not all run at once. */
export function nextRunAt(minutes: number | null) {
  if (minutes === null) return sql<Date | null>`null`;
  return sql<Date>`now() + make_interval(secs => ${minutes * 60} * (0.95 + random() * 0.1))`;
}
