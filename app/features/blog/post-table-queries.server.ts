import { type Expression, sql, type SqlBool } from 'kysely';
import type { Db } from '#database/connect.ts';
import { containsIn } from '#app/platform/contains-in.server.ts';
import { readTablePage } from '#app/platform/read-table-page.server.ts';
import type { TableQuery } from '#app/platform/table-query.ts';
import type { PostState } from './post-state.ts';
import type { PostFilter, PostSort } from './post-table.ts';

/**
 * A post in the admin list. `date` is the publication date, past or future, or else the creation
 * date.
 */
export type PostRow = Awaited<ReturnType<typeof listPostRows>>['rows'][number];

const isScheduled = sql<SqlBool>`is_published and coalesce(published_at > now(), false)`;
const isShown = sql<SqlBool>`is_published and not coalesce(published_at > now(), false)`;
const conditions: Partial<Record<string, Expression<SqlBool>>> = {
  published: isShown,
  scheduled: isScheduled,
  draft: sql<SqlBool>`not is_published`,
} satisfies Record<PostState, Expression<SqlBool>>;
const date = 'coalesce(published_at, created_at)';
const orders: Record<PostSort, string> = { date, title: 'lower(title)', author: 'lower(author)' };

/** Returns a page of all posts, drafts included, found by title, excerpt, author or tag. */
export async function listPostRows(db: Db, query: TableQuery<PostSort, PostFilter>) {
  const { search, filters, isDescending } = query;
  const isTagged = sql`exists (select from unnest(tags) tag where ${containsIn(search, 'tag')})`;
  const direction = isDescending ? 'desc' : 'asc';
  const rows = db
    .selectFrom('blog_posts')
    .where(sql<SqlBool>`(${containsIn(search, 'title', 'excerpt', 'author')} or ${isTagged})`)
    .where(conditions[filters.status ?? ''] ?? sql<SqlBool>`true`)
    .where(filters.show === null ? sql<SqlBool>`true` : sql<SqlBool>`is_featured`)
    .select(['id', 'title', 'slug', 'excerpt', 'author', 'is_published', 'is_featured'])
    .select(['published_at', sql.raw<Date>(date).as('date')])
    .orderBy(sql.raw(orders[query.sort]), direction)
    .orderBy('id', direction);
  return readTablePage(rows, query);
}

export function countPostFigures(db: Db) {
  return db
    .selectFrom('blog_posts')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.countAll<number>().filterWhere(isShown).as('published'),
      fn.countAll<number>().filterWhere(isScheduled).as('scheduled'),
      fn.countAll<number>().filterWhere('is_published', '=', false).as('drafts'),
    ])
    .executeTakeFirstOrThrow();
}
