import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Db } from '#database/connect.ts';
import { recentClicksOf } from '#app/features/catalog/recent-clicks.server.ts';
import { containsIn } from '#app/platform/contains-in.server.ts';
import { readTablePage } from '#app/platform/read-table-page.server.ts';
import type { TableQuery } from '#app/platform/table-query.ts';
import type { MerchantFilter, MerchantSort } from './merchant-table.ts';

export type MerchantRow = Awaited<ReturnType<typeof listMerchantRows>>['rows'][number];

const conditions: Record<string, Expression<SqlBool>> = {
  featured: sql`is_featured`,
  'with-website': sql`website_url is not null`,
  'without-link': sql`affiliate_template is null`,
};
const clicks = recentClicksOf('merchant', 'merchants.id');
const orders: Record<MerchantSort, RawBuilder<unknown>> = {
  name: sql`lower(name)`,
  deals: sql`deal_count`,
  clicks,
  created: sql`created_at`,
};

/** Returns a page of all merchants, found by name or description. */
export async function listMerchantRows(db: Db, query: TableQuery<MerchantSort, MerchantFilter>) {
  const direction = query.isDescending ? 'desc' : 'asc';
  const rows = db
    .selectFrom('merchants')
    .where(containsIn(query.search, 'name', 'description'))
    .where(conditions[query.filters.show ?? ''] ?? sql<SqlBool>`true`)
    .select(['id', 'name', 'slug', 'description', 'logo_url', 'website_url', 'is_featured'])
    .select(['deal_count', 'created_at'])
    .select(sql<boolean>`affiliate_template is not null`.as('hasAffiliateLink'))
    .select(clicks.as('clicks'))
    .orderBy(orders[query.sort], direction)
    .orderBy('id', direction);
  return readTablePage(rows, query);
}

export function countMerchantFigures(db: Db) {
  return db
    .selectFrom('merchants')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.countAll<number>().filterWhere('is_featured', '=', true).as('featured'),
      fn.count<number>('website_url').as('withWebsite'),
    ])
    .executeTakeFirstOrThrow();
}
