import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { containsPattern } from '#app/platform/like-pattern.ts';
import { readTablePage } from '#app/platform/read-table-page.server.ts';
import type { TablePage } from '#app/platform/table-query.ts';
import type { SubscriptionQuery, SubscriptionSort } from './subscription-table.ts';

export interface SubscriptionRow {
  id: number;
  email: string;
  is_active: boolean;
  subscribed_at: Date;
  /** Null too while the first mail's link waits to be used. */
  unsubscribed_at: Date | null;
}

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

/** A page of all subscriptions, by address. */
export async function listSubscriptionRows(
  db: Db,
  query: SubscriptionQuery,
): Promise<TablePage<SubscriptionRow>> {
  const found = matchingSubscriptions(db, query);
  const direction = query.isDescending ? 'desc' : 'asc';
  const rows = found
    .select(['id', 'email', 'is_active', 'subscribed_at', 'unsubscribed_at'])
    .orderBy(sql.raw(orders[query.sort]), (order) => order[direction]().nullsLast())
    .orderBy('id', direction);
  return readTablePage(rows, query);
}

export function matchingSubscriptions(
  db: Db,
  { search, filters }: Pick<SubscriptionQuery, 'search' | 'filters'>,
) {
  let found = db.selectFrom('newsletter_subscriptions');
  if (search !== '') found = found.where('email', 'ilike', containsPattern(search));
  const condition = conditions[filters.status ?? ''];
  return condition ? found.where(condition) : found;
}

export interface SubscriptionFigures {
  total: number;
  active: number;
  unsubscribed: number;
  /** Whole percent of all; 0 when there are none. */
  activeRate: number;
}

export async function countSubscriptionFigures(db: Db): Promise<SubscriptionFigures> {
  const figures = await db
    .selectFrom('newsletter_subscriptions')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.countAll<number>().filterWhere('is_active', '=', true).as('active'),
      fn.count<number>('unsubscribed_at').as('unsubscribed'),
    ])
    .executeTakeFirstOrThrow();
  const { total, active } = figures;
  return { ...figures, activeRate: total === 0 ? 0 : Math.round((active / total) * 100) };
}
