import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { columnList, columnTypes } from '#app/features/deals/deal-column-sql.server.ts';
import { columnsFor } from '#app/features/deals/deal-columns.ts';
import type { ImportRow } from '../formats/check-feed-row.ts';
import type { SupplementRow } from '../formats/check-supplement.ts';
import type { PlacedRow } from './judge-feed.ts';

/** A row with its category, or the name of a category to create. */
export type CategorisedRow = (ImportRow | SupplementRow) & {
  category_id: number | null;
  new_category: string | null;
};

/** `n` is the row's position in the feed. */
export type StagedRow = CategorisedRow & { n: number };

function stagedTypes() {
  return sql`n int, line int, is_variant boolean, slug_base text, new_category text, given_prices text,
    ${columnTypes(['external_id', 'category_id', ...columnsFor('feed')])}`;
}

/**
 * Creates session tables for the parsed feed. All changes are then known before anything is
 * written, so they can be shown or rejected.
 */
export async function createStage(db: Db): Promise<void> {
  await dropStage(db);
  await sql`create temporary table import_rows (
    becomes text, ${stagedTypes()}, primary key (n))`.execute(db);
  // Rejected rows, whose deals are not considered missing.
  await sql`create temporary table import_refused (external_id text)`.execute(db);
  await sql`create temporary table import_waiting (n int primary key, feed_row json not null)`.execute(
    db,
  );
}

export async function dropStage(db: Db): Promise<void> {
  await sql`drop table if exists pg_temp.import_rows, pg_temp.import_refused,
    pg_temp.import_waiting, pg_temp.import_plan`.execute(db);
}

export async function stageRows(
  db: Db,
  rows: readonly StagedRow[],
  refused: readonly string[],
  waiting: readonly PlacedRow[] = [],
): Promise<void> {
  if (rows.length > 0) {
    const names = columnList(['external_id', 'category_id', ...columnsFor('feed')]);
    const all = sql`n, line, is_variant, slug_base, new_category, given_prices, ${names}`;
    await sql`
      insert into pg_temp.import_rows (${all})
      select ${all} from json_to_recordset(${JSON.stringify(rows)}::json) as r(${stagedTypes()})`.execute(
      db,
    );
  }
  if (refused.length > 0) {
    await sql`insert into pg_temp.import_refused select unnest(${refused}::text[])`.execute(db);
  }
  if (waiting.length > 0) {
    await sql`
      insert into pg_temp.import_waiting (n, feed_row)
      select n, row from json_to_recordset(${JSON.stringify(waiting)}::json) as r(n int, row json)`.execute(
      db,
    );
  }
}

const waitingAtATime = 500;

/** Returns the rows that wait for the end of the feed, in feed order. */
export async function* readWaiting(db: Db): AsyncGenerator<PlacedRow[]> {
  for (let last = 0; ;) {
    const { rows } = await sql<PlacedRow>`
      select n, feed_row as row from pg_temp.import_waiting
       where n > ${last} order by n limit ${waitingAtATime}`.execute(db);
    last = rows.at(-1)?.n ?? last;
    if (rows.length > 0) yield rows;
    if (rows.length < waitingAtATime) return;
  }
}

/** Returns the categories that staged rows need but the site lacks, in feed order. */
export async function listNewCategories(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select new_category as name from pg_temp.import_rows where new_category is not null
     group by 1 order by min(n)`.execute(db);
  return rows.map(({ name }) => name);
}

/** Assigns the new categories to the staged rows that need them, in one pass over all rows. */
export async function fillNewCategories(
  db: Db,
  made: readonly { name: string; id: number }[],
): Promise<void> {
  await sql`
    update pg_temp.import_rows r set category_id = made.id
      from json_to_recordset(${JSON.stringify(made)}::json) as made(name text, id bigint)
     where r.new_category = made.name`.execute(db);
}
