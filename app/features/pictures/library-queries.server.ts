import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely';
import { containsIn } from '#app/platform/contains-in.server.ts';
import { readTablePage } from '#app/platform/read-table-page.server.ts';
import type { TableQuery } from '#app/platform/table-query.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { libraryColumns, type LibraryPicture } from './library-picture.ts';
import type { LibraryFilter, LibrarySort } from './library-table.ts';
import { everyUse, findPictureUses } from './picture-uses.server.ts';

export type LibraryRow = Awaited<ReturnType<typeof listLibrary>>['rows'][number];

const conditions: Record<string, Expression<SqlBool>> = {
  unused: sql`p.hash not in (select hash from ${everyUse} as used)`,
  undescribed: sql`p.alt = ''`,
};
const orders: Record<LibrarySort, RawBuilder<unknown>> = {
  created: sql`p.created_at`,
  name: sql`lower(p.name)`,
  size: sql`p.bytes`,
};

/**
 * Returns a page of the library, searched by name or description, with the places that show each
 * picture.
 */
export async function listLibrary(db: Db, query: TableQuery<LibrarySort, LibraryFilter>) {
  const direction = query.isDescending ? 'desc' : 'asc';
  const rows = db
    .selectFrom('library_pictures as p')
    .leftJoin('users as u', 'u.id', 'p.created_by')
    .where(containsIn(query.search, 'p.name', 'p.alt'))
    .where(conditions[query.filters.show ?? ''] ?? sql<SqlBool>`true`)
    .select(['p.id', 'p.hash', 'p.address', 'p.name', 'p.alt', 'p.width', 'p.height', 'p.bytes'])
    .select(['p.created_at', 'u.full_name as created_by'])
    .orderBy(orders[query.sort], direction)
    .orderBy('p.id', direction);
  const page = await readTablePage(rows, query);
  const uses = await findPictureUses(
    db,
    page.rows.map(({ hash }) => hash),
    3,
  );
  const withUses = page.rows.map((row) => ({
    ...row,
    uses: uses.get(row.hash) ?? { total: 0, first: [] },
  }));
  return { ...page, rows: withUses };
}

/** Returns the library picture with this address, or `null`. */
export function findPictureAt(db: Db, address: string) {
  return ask(db).row<{ address: string; width: number; height: number }>`
    select address, width, height from library_pictures where address = ${address}`;
}

export async function countLibrary(db: Db) {
  const counted = await ask(db).row<{ total: number; bytes: number; undescribed: number }>`
    select count(*) as total, coalesce(sum(bytes), 0)::bigint as bytes,
           count(*) filter (where alt = '') as undescribed from library_pictures`;
  return counted ?? { total: 0, bytes: 0, undescribed: 0 };
}

/** Returns the newest pictures whose name or description contains this text, to choose one. */
export async function pickPictures(
  db: Db,
  search: string,
  most: number,
): Promise<{ pictures: LibraryPicture[]; hasMore: boolean }> {
  const found = await db
    .selectFrom('library_pictures as p')
    .where(containsIn(search, 'p.name', 'p.alt'))
    .select(libraryColumns.map((column) => `p.${column}` as const))
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(most + 1)
    .execute();
  return { pictures: found.slice(0, most), hasMore: found.length > most };
}
