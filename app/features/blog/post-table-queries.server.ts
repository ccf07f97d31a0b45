import type { Expression, SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { containsPattern } from '#app/platform/like-pattern.ts';
import { readTablePage } from '#app/platform/read-table-page.server.ts';
import type { TablePage, TableQuery } from '#app/platform/table-query.ts';
import type { PostState } from './post-state.ts';
import type { PostFilter, PostSort } from './post-table.ts';

export interface PostRow {
  id: number;
  title: string;
  slug: string;
  excerpt: string;
  author: string;
  is_published: boolean;
  is_featured: boolean;
  published_at: Date | null;
  /** When it was or will be published, else when it was begun. */
  date: Date;
}

const isScheduled = sql<SqlBool>`is_published and coalesce(published_at > now(), false)`;
const isShown = sql<SqlBool>`is_published and not coalesce(published_at > now(), false)`;
const conditions: Partial<Record<string, Expression<SqlBool>>> = {
  published: isShown,
  scheduled: isScheduled,
  draft: sql<SqlBool>`not is_published`,
} satisfies Record<PostState, Expression<SqlBool>>;
const date = 'coalesce(published_at, created_at)';
const orders: Record<PostSort, string> = { date, title: 'lower(title)', author: 'lower(author)' };

/** A page of all posts, drafts included, by title, excerpt, author or tag. */
export async function listPostRows(
  db: Db,
  query: TableQuery<PostSort, PostFilter>,
): Promise<TablePage<PostRow>> {
  let found = db.selectFrom('blog_posts');
  if (query.search !== '') {
    const pattern = containsPattern(query.search);
    found = found.where((eb) =>
      eb.or([
        eb('title', 'ilike', pattern),
        eb('excerpt', 'ilike', pattern),
        eb('author', 'ilike', pattern),
        sql<SqlBool>`exists (select from unnest(tags) tag where tag ilike ${pattern})`,
      ]),
    );
  }
  const { status, show } = query.filters;
  const condition = conditions[status ?? ''];
  if (condition) found = found.where(condition);
  if (show !== null) found = found.where('is_featured', '=', true);
  const direction = query.isDescending ? 'desc' : 'asc';
  const rows = found
    .select(['id', 'title', 'slug', 'excerpt', 'author', 'is_published', 'is_featured'])
    .select(['published_at', sql.raw<Date>(date).as('date')])
    .orderBy(sql.raw(orders[query.sort]), direction)
    .orderBy('id', direction);
  return readTablePage(rows, query);
}

export interface PostFigures {
  total: number;
  published: number;
  scheduled: number;
  drafts: number;
}

export async function countPostFigures(db: Db): Promise<PostFigures> {
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
