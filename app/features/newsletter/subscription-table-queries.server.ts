import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { containsIn } from '#app/platform/contains-in.server.ts';
import { isSuspended } from '#app/platform/mail/suspension-queries.server.ts';
import { readTablePage } from '#app/platform/read-table-page.server.ts';
import { readCounters } from '#app/platform/site-counters.server.ts';
import type {
  SubscriptionQuery,
  SubscriptionScope,
  SubscriptionSort,
} from './subscription-table.ts';

/**
 * A subscription in the list. `unsubscribed_at` is `null` until the subscriber leaves, even if the
 * link of the first email was never followed.
 */
export type SubscriptionRow = Awaited<ReturnType<typeof listSubscriptionRows>>['rows'][number];

const conditions: Record<string, ReturnType<typeof sql<boolean>>> = {
  active: sql<boolean>`is_active`,
  unsubscribed: sql<boolean>`unsubscribed_at is not null`,
  waiting: sql<boolean>`not is_active and unsubscribed_at is null`,
};
const orders: Record<SubscriptionSort, string> = {
  email: 'lower(email)',
  subscribed: 'subscribed_at',
  unsubscribed: 'unsubscribed_at',
};

/** Returns a page of all subscriptions, found by address. */
export async function listSubscriptionRows(db: Db, query: SubscriptionQuery) {
  const { search, filters, sort, isDescending } = query;
  const inOrder = (isDown: boolean) => {
    const direction = isDown ? 'desc' : 'asc';
    return matchingSubscriptions(db, query)
      .select(['id', 'email', 'is_active', 'subscribed_at', 'unsubscribed_at'])
      .select(isSuspended(sql.ref('email')).as('is_suspended'))
      .$if(sort === 'unsubscribed', (rows) =>
        rows.orderBy(sql`unsubscribed_at is null`, isDown === isDescending ? 'asc' : 'desc'),
      )
      .orderBy(sql.raw(orders[sort]), direction)
      .orderBy('id', direction);
  };
  const figure = await readCounters(db, 'subscriptions');
  const total = search === '' ? figure(filters.status ?? 'all') : undefined;
  return readTablePage(inOrder(isDescending), query, inOrder(!isDescending), total);
}

export function matchingSubscriptions(db: Db, { search, filters }: SubscriptionScope) {
  return db
    .selectFrom('newsletter_subscriptions')
    .where(containsIn(search, 'email'))
    .where(conditions[filters.status ?? ''] ?? sql<boolean>`true`);
}

/** Counts subscriptions. `activeRate` is a whole percent of all, or 0 if there are none. */
export async function countSubscriptionFigures(db: Db) {
  const figure = await readCounters(db, 'subscriptions');
  const [total, active, unsubscribed] = [figure('all'), figure('active'), figure('unsubscribed')];
  const activeRate = total === 0 ? 0 : Math.round((active / total) * 100);
  return { total, active, unsubscribed, activeRate };
}
