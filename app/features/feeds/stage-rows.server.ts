import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { ImportRow } from './check-feed-row.ts';

/** A row on its way: with its category, or the name of one that is still to be made. */
export type StagedRow = ImportRow & { category_id: number | null; new_category: string | null };

/**
 * The feed as it was read, in tables of this session alone: what the run will do is known, and may be shown or
 * refused, before anything is written.
 */
export async function createStage(db: Db): Promise<void> {
  await dropStage(db);
  await sql`create temporary table import_rows (
    n int generated always as identity primary key, line int, external_id text, is_variant boolean, slug_base text, title text, description text,
    deal_url text, image_url text, sale_price int, original_price int, availability text, status text, condition text,
    category_id bigint, new_category text, brand text, gtin text, coupon_code text, expires_at timestamptz)`.execute(
    db,
  );
  // Rows that were refused are no sign that their deals are gone.
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
    await sql`
      insert into pg_temp.import_rows (line, external_id, is_variant, slug_base, title, description, deal_url, image_url,
        sale_price, original_price, availability, status, condition, category_id, new_category, brand, gtin, coupon_code, expires_at)
      select line, external_id, is_variant, slug_base, title, description, deal_url, image_url, sale_price,
             original_price, availability, status, condition, category_id, new_category, brand, gtin, coupon_code, expires_at
        from json_to_recordset(${JSON.stringify(rows)}::json) as r(
          line int, external_id text, is_variant boolean, slug_base text, title text, description text, deal_url text,
          image_url text, sale_price int, original_price int, availability text, status text, condition text,
          category_id bigint, new_category text, brand text, gtin text, coupon_code text, expires_at timestamptz)`.execute(
      db,
    );
  }
  if (refused.length > 0) {
    await sql`insert into pg_temp.import_refused select unnest(${refused}::text[])`.execute(db);
  }
}

/** The categories that the staged rows want and the site does not have, in the order of the feed. */
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
