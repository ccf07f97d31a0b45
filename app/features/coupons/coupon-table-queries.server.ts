import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely';
import { containsIn } from '#app/platform/contains-in.server.ts';
import { readTablePage } from '#app/platform/read-table-page.server.ts';
import type { TableQuery } from '#app/platform/table-query.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { isLive } from './coupon-queries.server.ts';
import type { CouponFilter, CouponSort } from './coupon-table.ts';

export type CouponRow = Awaited<ReturnType<typeof listCouponRows>>['rows'][number];

const live = sql<boolean>`${isLive(sql`now()`)}`;
const ended = sql<boolean>`coalesce(c.ends_at <= now(), false)`;
const conditions: Record<string, Expression<SqlBool>> = {
  live,
  upcoming: sql`c.starts_at > now()`,
  ended,
  own: sql`c.list = ''`,
  imported: sql`c.list <> ''`,
};
const clicks = sql<number>`
  (select coalesce(sum(k.count), 0)::integer from coupon_clicks k
    where k.coupon_id = c.id and k.day > (now() at time zone 'utc')::date - 30)`;
const reports = (works: boolean) => sql<number>`
  (select count(*)::integer from coupon_reports r where r.coupon_id = c.id and r.works = ${works})`;
const orders: Record<CouponSort, RawBuilder<unknown>> = {
  code: sql`upper(c.code)`,
  store: sql`lower(m.name)`,
  // A coupon without an end sorts last.
  ends: sql`coalesce(c.ends_at, 'infinity')`,
  clicks,
  created: sql`c.created_at`,
};

/** Returns a page of all coupons, by code, title or store. */
export async function listCouponRows(db: Db, query: TableQuery<CouponSort, CouponFilter>) {
  const direction = query.isDescending ? 'desc' : 'asc';
  const { show, merchant } = query.filters;
  const rows = db
    .selectFrom('coupons as c')
    .innerJoin('merchants as m', 'm.id', 'c.merchant_id')
    .where(containsIn(query.search, 'c.code', 'c.title', 'm.name'))
    .where(conditions[show ?? ''] ?? sql<SqlBool>`true`)
    .where(merchant === null ? sql<SqlBool>`true` : sql<SqlBool>`c.merchant_id = ${merchant}`)
    .select(['c.id', 'c.code', 'c.title', 'c.starts_at', 'c.ends_at', 'c.list', 'c.created_at'])
    .select(['m.name as merchant', 'm.slug as merchant_slug', 'm.id as merchant_id'])
    .select([live.as('isLive'), ended.as('isEnded'), clicks.as('clicks')])
    .select([reports(true).as('works'), reports(false).as('fails')])
    .orderBy(orders[query.sort], direction)
    .orderBy('c.id', direction);
  return readTablePage(rows, query);
}

export async function countCouponFigures(db: Db) {
  const counted = await ask(db).row<{ total: number; live: number; ended: number }>`
    select count(*) as total, count(*) filter (where ${live}) as live,
           count(*) filter (where ${ended}) as ended from coupons c`;
  return counted ?? { total: 0, live: 0, ended: 0 };
}
