import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely';
import { containsIn } from '#app/platform/contains-in.server.ts';
import { readTablePage } from '#app/platform/read-table-page.server.ts';
import type { TableQuery } from '#app/platform/table-query.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { PageFilter, PageSort } from './page-table.ts';
import { siteTexts, type TextName, textNames } from './site-texts.ts';

/** A page in the admin list. An original text has no stored page. */
interface Listed {
  /** The page id, or a negative number for an original text. */
  id: number;
  slug: string;
  title: string;
  /** Set only for the site's texts. */
  text: TextName | null;
  is_stored: boolean;
  is_visible: boolean;
  noindex: boolean;
  updated_at: Date | null;
}

export type PageRow = Awaited<ReturnType<typeof listPageRows>>['rows'][number];

const conditions: Record<string, Expression<SqlBool>> = {
  own: sql`p.text is null`,
  drafts: sql`not p.is_visible`,
  texts: sql`p.text is not null`,
  changed: sql`p.text is not null and p.is_stored`,
};
const orders: Record<PageSort, RawBuilder<unknown>> = {
  title: sql`p.text is null, lower(p.title)`,
  changed: sql`coalesce(p.updated_at, '-infinity')`,
};

const texts = JSON.stringify(
  textNames.map((name, place) => ({ name, label: siteTexts[name].label, place })),
);

/** Returns a page of the list: the site's texts by their usual names, and the owner's pages. */
export async function listPageRows(db: Db, query: TableQuery<PageSort, PageFilter>) {
  const direction = query.isDescending ? sql`desc` : sql`asc`;
  const all = sql<Listed>`(
    select coalesce(s.id, -1 - t.place) as id, coalesce(s.slug, t.name) as slug, coalesce(t.label, s.title) as title,
           t.name as text, s.id is not null as is_stored, coalesce(s.is_visible, true) as is_visible,
           coalesce(s.noindex, false) as noindex, s.updated_at
      from jsonb_to_recordset(${texts}::jsonb) as t (name text, label text, place integer)
      full join site_pages s on s.slug = t.name)`;
  const rows = db
    .selectFrom(all.as('p'))
    .where(containsIn(query.search, 'p.title', 'p.slug'))
    .where(conditions[query.filters.show ?? ''] ?? sql<SqlBool>`true`)
    .select(['p.id', 'p.slug', 'p.title', 'p.text', 'p.is_stored', 'p.is_visible', 'p.noindex'])
    .select('p.updated_at')
    .orderBy(sql`${orders[query.sort]} ${direction}`)
    .orderBy('p.id');
  return readTablePage(rows, query);
}

export async function countPageFigures(db: Db) {
  const counted = await ask(db).row<{ own: number; drafts: number; changed: number }>`
    select count(*) filter (where slug <> all(${textNames})) as own,
           count(*) filter (where not is_visible) as drafts,
           count(*) filter (where slug = any(${textNames})) as changed from site_pages`;
  return counted ?? { own: 0, drafts: 0, changed: 0 };
}
