import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { containsIn } from '#app/platform/contains-in.server.ts';
import { readTablePage } from '#app/platform/read-table-page.server.ts';
import { readCounters } from '#app/platform/site-counters.server.ts';
import type { NewsletterSort, NewslettersQuery } from './newsletters-table.ts';
import type { NewsletterState } from './newsletter-state.ts';

const columns = [
  'id',
  'subject',
  'preview',
  'content',
  'audience_since',
  'audience_confirmed',
  'state',
  'send_at',
  'held_because',
  'audience_until',
  'recipients',
  'is_queued',
  'started_at',
  'finished_at',
  'left_count',
  'version',
  'updated_at',
  'list_id',
  'audience_category_id',
  'audience_merchant_id',
  'subject_b',
  'preview_b',
  'test_percent',
  'test_hours',
  'tested_at',
  'winner',
] as const;

/** A newsletter with the fields that editors see. */
export type Newsletter = NonNullable<Awaited<ReturnType<typeof findNewsletter>>>;

export async function findNewsletter(db: Db, id: number) {
  return (await newsletters(db, id).executeTakeFirst()) ?? null;
}

/** Locks a newsletter to change its state. */
export async function lockNewsletter(tx: Tx | Db, id: number) {
  return (await newsletters(tx, id).forUpdate().executeTakeFirst()) ?? null;
}

function newsletters(db: Db, id: number) {
  return db.selectFrom('newsletters').select(columns).where('id', '=', id);
}

export { columns as newsletterColumns };

/**
 * Results of a newsletter's emails. `failed` includes addresses skipped because they bounced
 * before.
 */
export interface DeliveryCounts {
  sent: number;
  failed: number;
  /** Subscribers who unsubscribed before their email was sent. */
  skipped: number;
  waiting: number;
}

const noDeliveries: DeliveryCounts = { sent: 0, failed: 0, skipped: 0, waiting: 0 };

/** Returns the results by newsletter id, including emails already deleted from the outbox. */
export async function readDeliveryCounts(db: Db, ids: number[]) {
  const rows = await ask(db).rows<DeliveryCounts & { id: number }>`
    select n.id, n.past_sent + coalesce(m.sent, 0) as sent, n.past_failed + coalesce(m.failed, 0) as failed,
           n.past_skipped + coalesce(m.skipped, 0) as skipped, coalesce(m.waiting, 0) as waiting
      from newsletters n left join lateral (
        select count(*) filter (where state = 'sent') as sent,
               count(*) filter (where state in ('failed', 'kept') or (state = 'cancelled' and last_error is not null)) as failed,
               count(*) filter (where state = 'cancelled' and last_error is null) as skipped,
               count(*) filter (where state = 'queued') as waiting
          from mail_outbox where kind = 'newsletter' and (payload ->> 'newsletterId')::bigint = n.id) m on true
     where n.id = any(${ids}::bigint[])`;
  const byId = new Map(rows.map(({ id, ...figures }) => [id, figures]));
  return (id: number) => byId.get(id) ?? noDeliveries;
}

const orders: Record<NewsletterSort, string> = {
  changed: 'coalesce(started_at, send_at, updated_at)',
  subject: 'lower(subject)',
};

/** Returns a page of all newsletters, found by subject. */
export async function listNewsletters(db: Db, query: NewslettersQuery) {
  const direction = query.isDescending ? 'desc' : 'asc';
  const { state } = query.filters;
  const rows = db
    .selectFrom('newsletters')
    .where(containsIn(query.search, 'subject', 'preview'))
    .$if(state !== null, (found) => found.where(sql<boolean>`state = ${state}`))
    .select(['id', 'subject', 'preview', 'state', 'send_at', 'started_at', 'updated_at'])
    .select(['recipients', 'held_because'])
    .orderBy(sql.raw(orders[query.sort]), direction)
    .orderBy('id', direction);
  const page = await readTablePage(rows, query);
  const figuresOf = await readDeliveryCounts(
    db,
    page.rows.map(({ id }) => id),
  );
  return { ...page, rows: page.rows.map((row) => ({ ...row, figures: figuresOf(row.id) })) };
}

export type NewsletterRow = Awaited<ReturnType<typeof listNewsletters>>['rows'][number];

export async function countNewsletters(db: Db) {
  const [states, figure] = await Promise.all([
    ask(db).rows<{ state: NewsletterState; count: number }>`
      select state, count(*) as count from newsletters group by state`,
    readCounters(db, 'subscriptions'),
  ]);
  const countOf = (...wanted: NewsletterState[]) =>
    states.reduce((sum, { state, count }) => sum + (wanted.includes(state) ? count : 0), 0);
  return {
    active: figure('active'),
    drafts: countOf('draft'),
    scheduled: countOf('scheduled'),
    underWay: countOf('sending', 'paused'),
    sent: countOf('sent'),
  };
}

export interface LinkClicks {
  position: number;
  href: string;
  label: string;
  clicks: number;
}

/** Lists a newsletter's links, the most clicked first. */
export function listLinkClicks(db: Db, newsletterId: number): Promise<LinkClicks[]> {
  return db
    .selectFrom('newsletter_links')
    .select(['position', 'href', 'label', 'clicks'])
    .where('newsletter_id', '=', newsletterId)
    .orderBy('clicks', 'desc')
    .orderBy('position')
    .execute();
}
