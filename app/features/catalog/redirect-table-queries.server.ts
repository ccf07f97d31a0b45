import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely';
import { containsIn } from '#app/platform/contains-in.server.ts';
import { readTablePage } from '#app/platform/read-table-page.server.ts';
import type { TableQuery } from '#app/platform/table-query.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { mostRedirects } from './find-redirect.server.ts';
import type { RedirectFilter, RedirectSort } from './redirect-table.ts';

export type RedirectRow = Awaited<ReturnType<typeof listRedirectRows>>['rows'][number];

const conditions: Record<string, Expression<SqlBool>> = {
  '301': sql`r.status = 301`,
  '302': sql`r.status = 302`,
  '410': sql`r.status = 410`,
  patterns: sql`r.from_path like '%*'`,
  unused: sql`r.hits = 0`,
};
const orders: Record<RedirectSort, RawBuilder<unknown>> = {
  from: sql`r.from_path`,
  hits: sql`r.hits`,
  last: sql`coalesce(r.last_hit_at, '-infinity')`,
  created: sql`r.created_at`,
};

/** Returns a page of redirects, by either URL. */
export async function listRedirectRows(db: Db, query: TableQuery<RedirectSort, RedirectFilter>) {
  const direction = query.isDescending ? 'desc' : 'asc';
  const rows = db
    .selectFrom('address_redirects as r')
    .leftJoin('users as u', 'u.id', 'r.created_by')
    .where(containsIn(query.search, 'r.from_path', 'r.target'))
    .where(conditions[query.filters.show ?? ''] ?? sql<SqlBool>`true`)
    .select(['r.id', 'r.from_path', 'r.target', 'r.status', 'r.hits', 'r.last_hit_at'])
    .select(['r.created_at', 'u.full_name as created_by'])
    .orderBy(orders[query.sort], direction)
    .orderBy('r.id', direction);
  return readTablePage(rows, query);
}

export async function countRedirectFigures(db: Db) {
  const counted = await ask(db).row<{ total: number; used: number; unused: number }>`
    select count(*) as total, count(*) filter (where hits > 0) as used,
           count(*) filter (where hits = 0) as unused from address_redirects`;
  return counted ?? { total: 0, used: 0, unused: 0 };
}

/** Returns all redirects as rows of a file. */
export async function* exportRedirects(db: Db): AsyncGenerator<(string | number | null)[]> {
  const rows = await ask(db).rows<{
    from_path: string;
    target: string | null;
    status: number;
    hits: number;
    last_hit_at: Date | null;
  }>`select from_path, target, status, hits, last_hit_at from address_redirects
      order by from_path limit ${mostRedirects}`;
  for (const { from_path: from, target, status, hits, last_hit_at: last } of rows)
    yield [from, target, status, hits, last?.toISOString() ?? null];
}
