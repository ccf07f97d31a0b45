import type { Expression, SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { containsPattern } from '#app/platform/like-pattern.ts';
import { readTablePage } from '#app/platform/read-table-page.server.ts';
import type { TablePage, TableQuery } from '#app/platform/table-query.ts';
import type { MerchantFilter, MerchantSort } from './merchant-table.ts';

export interface MerchantRow {
  id: number;
  name: string;
  slug: string;
  description: string;
  logo_url: string | null;
  website_url: string | null;
  is_featured: boolean;
  deal_count: number;
  hasAffiliateLink: boolean;
  created_at: Date;
}

const conditions: Record<string, Expression<SqlBool>> = {
  featured: sql`is_featured`,
  'with-website': sql`website_url is not null`,
  'without-link': sql`affiliate_template is null`,
};
const orders: Record<MerchantSort, string> = {
  name: 'lower(name)',
  deals: 'deal_count',
  created: 'created_at',
};

/** A page of all merchants, by name or description. */
export async function listMerchantRows(
  db: Db,
  query: TableQuery<MerchantSort, MerchantFilter>,
): Promise<TablePage<MerchantRow>> {
  let found = db.selectFrom('merchants');
  if (query.search !== '') {
    const pattern = containsPattern(query.search);
    found = found.where((eb) =>
      eb.or([eb('name', 'ilike', pattern), eb('description', 'ilike', pattern)]),
    );
  }
  const condition = conditions[query.filters.show ?? ''];
  if (condition) found = found.where(condition);
  const direction = query.isDescending ? 'desc' : 'asc';
  const rows = found
    .select(['id', 'name', 'slug', 'description', 'logo_url', 'website_url', 'is_featured'])
    .select(['deal_count', 'created_at'])
    .select(sql<boolean>`affiliate_template is not null`.as('hasAffiliateLink'))
    .orderBy(sql.raw(orders[query.sort]), direction)
    .orderBy('id', direction);
  return readTablePage(rows, query);
}

export interface MerchantFigures {
  total: number;
  featured: number;
  withWebsite: number;
}

export async function countMerchantFigures(db: Db): Promise<MerchantFigures> {
  return db
    .selectFrom('merchants')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.countAll<number>().filterWhere('is_featured', '=', true).as('featured'),
      fn.count<number>('website_url').as('withWebsite'),
    ])
    .executeTakeFirstOrThrow();
}
