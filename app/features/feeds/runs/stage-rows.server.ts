import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { columnList, columnTypes } from '#app/features/deals/deal-column-sql.server.ts';
import { columnsFor } from '#app/features/deals/deal-columns.ts';
import type { ImportRow } from '../formats/check-feed-row.ts';

/** A staged row: with its category, or the name of one to create. */
export type StagedRow = ImportRow & { category_id: number | null; new_category: string | null };

function stagedTypes() {
  return sql`line int, is_variant boolean, slug_base text, new_category text,
    ${columnTypes(['external_id', 'category_id', ...columnsFor('feed')])}`;
}

/**
 * Creates session tables for the feed as read, so that all changes are known, and may be shown or
 * refused, before anything is written.
 */
export async function createStage(db: Db): Promise<void> {
  await dropStage(db);
  await sql`create temporary table import_rows (
    n int generated always as identity primary key, becomes text, ${stagedTypes()})`.execute(db);
  // Rejected rows do not mean that their deals are gone.
  await sql`create temporary table import_refused (external_id text)`.execute(db);
}

export async function dropStage(db: Db): Promise<void> {
  await sql`drop table if exists pg_temp.import_rows, pg_temp.import_refused, pg_temp.import_plan`.execute(
    db,
  );
}

export async function stageRows(
  db: Db,
  rows: readonly StagedRow[],
  refused: readonly string[],
): Promise<void> {
  if (rows.length > 0) {
    const names = columnList(['external_id', 'category_id', ...columnsFor('feed')]);
    const all = sql`line, is_variant, slug_base, new_category, ${names}`;
    await sql`
      insert into pg_temp.import_rows (${all})
      select ${all} from json_to_recordset(${JSON.stringify(rows)}::json) as r(${stagedTypes()})`.execute(
      db,
    );
  }
  if (refused.length > 0) {
    await sql`insert into pg_temp.import_refused select unnest(${refused}::text[])`.execute(db);
  }
}

/** Returns the categories that staged rows need and the site lacks, in the order of the feed. */
export async function listNewCategories(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select new_category as name from pg_temp.import_rows where new_category is not null
     group by 1 order by min(n)`.execute(db);
  return rows.map(({ name }) => name);
}

export async function fillNewCategory(db: Db, name: string, categoryId: number): Promise<void> {
  await sql`update pg_temp.import_rows set category_id = ${categoryId}
             where new_category = ${name}`.execute(db);
}
