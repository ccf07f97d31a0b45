import { type Selectable, sql, type UpdateObject } from 'kysely';
import { recentClicksOf } from '#app/features/catalog/recent-clicks.server.ts';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import type { FeedEncoding } from '../formats/feed-encodings.ts';
import type { FeedFormat } from '../formats/feed-fields.ts';

export type FeedSourceRow = Selectable<Database['feed_sources']> & {
  merchant: string;
  website_url: string | null;
  format: FeedFormat;
  encoding: FeedEncoding;
};

type Named = 'id' | 'name' | 'kind' | 'merchant' | 'format';
type Timing = 'schedule_minutes' | 'is_active' | 'next_run_at';

export interface SourceOverview extends Pick<FeedSourceRow, Named | Timing> {
  live_deals: number;
  clicks: number;
  last_run_id: number | null;
  last_state: string | null;
  last_rollback: Record<string, number> | null;
  last_error: string | null;
  last_at: Date | null;
}

export async function findFeedSource(db: Db, id: number): Promise<FeedSourceRow | null> {
  const { rows } = await sql<FeedSourceRow>`
    select s.*, m.name as merchant, m.website_url from feed_sources s join merchants m on m.id = s.merchant_id
     where s.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

export async function updateSource(
  db: Db,
  id: number,
  columns: UpdateObject<Database, 'feed_sources', 'feed_sources'>,
): Promise<void> {
  await db.updateTable('feed_sources').set(columns).where('id', '=', id).execute();
}

/** Stores the key of an SFTP server at the first connection. */
export async function pinHostKey(
  db: Db,
  source: Pick<FeedSourceRow, 'id' | 'host_key'>,
  seen: string | null,
): Promise<void> {
  if (source.host_key === null && seen !== null) {
    await updateSource(db, source.id, { host_key: seen });
  }
}

/**
 * Clears the record of the last fetch, so that the next run fetches the feed even if it is
 * unchanged.
 */
export const unmarked = { etag: null, last_modified: null };

/** Returns all sources by name. Staff add them one by one, so there are few. */
export async function listFeedSources(db: Db): Promise<SourceOverview[]> {
  const { rows } = await sql<SourceOverview>`
    select s.id, s.name, s.kind, m.name as merchant, s.format, s.schedule_minutes, s.is_active, s.next_run_at,
           (select count(*) from deals d where d.feed_source_id = s.id and d.is_active and not d.is_expired) as live_deals,
           ${recentClicksOf('feed', 's.id')} as clicks,
           r.id as last_run_id, r.state as last_state, r.rollback as last_rollback, r.error as last_error, r.started_at as last_at
      from feed_sources s join merchants m on m.id = s.merchant_id
      left join lateral (
        select id, state, rollback, error, started_at from import_runs
         where feed_source_id = s.id and not is_dry_run order by id desc limit 1) r on true
     order by lower(s.name), s.id`.execute(db);
  return rows;
}

/**
 * Returns the time of a source's next run. A random shift of up to 5% of its interval prevents
 * simultaneous runs.
 */
export function nextRunAt(minutes: number | null) {
  if (minutes === null) return sql<Date | null>`null`;
  return sql<Date>`now() + make_interval(secs => ${minutes * 60} * (0.95 + random() * 0.1))`;
}
