import type { FeedSizeLimits } from '#app/features/feeds/formats/decode-feed.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { dealFinder, type FoundDeal } from './find-priced-deals.server.ts';
import type { PriceColumnChoices } from './price-columns.ts';
import { readMovedPrice, readWrittenDay } from './read-moved-price.ts';
import { type PriceCells, readPrices } from './read-prices.server.ts';
import type { PriceOutcome } from './price-outcomes.ts';

/** characters; the length of the column */
export const longestPriceSource = 60;

const rowsAtATime = 2_000;
/** characters of a cell that the preview shows */
const longestShown = 100;

/**
 * Stores the rows of a file for its preview, and returns the id of the import. If the file can't be
 * read, throws a `FeedError` and stores nothing.
 */
export async function stagePrices(
  db: Db,
  source: AsyncIterable<Uint8Array>,
  {
    name,
    actor,
    source: tracker = '',
    ...reading
  }: {
    name: string;
    actor: string;
    /** The tracker of rows that name none. */
    source?: string;
    limits: FeedSizeLimits;
    choices: PriceColumnChoices;
  },
): Promise<number> {
  const { id } = await db
    .insertInto('price_moves')
    .values({
      file_name: name.slice(0, 200),
      created_by: actor,
      source: tracker.trim().slice(0, longestPriceSource),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  try {
    const find = dealFinder(db);
    for await (const batch of readPrices(source, reading)) {
      for (let from = 0; from < batch.length; from += rowsAtATime) {
        const rows = batch.slice(from, from + rowsAtATime);
        await stageRows(db, id, rows, await find(rows));
      }
    }
    await setReady(db, id);
    return id;
  } catch (error) {
    await db.deleteFrom('price_moves').where('id', '=', id).execute();
    throw error;
  }
}

interface StagedRow {
  line: number;
  deal_text: string;
  date_text: string;
  price_text: string;
  deal_id: number | null;
  day_first: string | null;
  month_first: string | null;
  price: number | null;
  currency: string | null;
  source: string;
  problem: PriceOutcome | null;
}

async function stageRows(
  db: Db,
  move: number,
  rows: readonly PriceCells[],
  found: readonly FoundDeal[],
): Promise<void> {
  const staged = rows.map((row, n) => stagedRow(row, found[n] ?? 'no-deal'));
  await ask(db).rows`
    insert into price_move_rows (move_id, line, deal_text, date_text, price_text, deal_id, day_first,
                                 month_first, price, currency, source, problem)
    select ${move}, line, deal_text, date_text, price_text, deal_id, day_first, month_first, price,
           currency, source, problem
      from jsonb_to_recordset(${JSON.stringify(staged)}::jsonb) as given (
        line integer, deal_text text, date_text text, price_text text, deal_id bigint, day_first date,
        month_first date, price integer, currency text, source text, problem text)`;
}

function stagedRow(row: PriceCells, deal: FoundDeal): StagedRow {
  const cut = (text: string) => text.slice(0, longestShown).toWellFormed();
  const { dayFirst, monthFirst } = readWrittenDay(row.date);
  const base = {
    line: row.line,
    deal_text: cut(row.deal || row.sku || row.link || row.gtin),
    date_text: cut(row.date),
    price_text: cut(`${row.price} ${row.currency}`.trim()),
    day_first: dayFirst,
    month_first: monthFirst,
    source: row.source.slice(0, longestPriceSource).toWellFormed().trim(),
  };
  if (typeof deal === 'string')
    return { ...base, deal_id: null, price: null, currency: null, problem: deal };
  const read = readMovedPrice(row.price, row.currency, deal.currency);
  return {
    ...base,
    deal_id: deal.id,
    price: read.ok ? read.price : null,
    currency: deal.currency,
    problem: read.ok ? null : read.reason,
  };
}

/**
 * Completes the preview. If all of a file's unambiguous dates have the same order, its other dates
 * are read in that order.
 */
async function setReady(db: Db, id: number): Promise<void> {
  await ask(db).rows`
    update price_moves set state = 'ready', day_order = (
      select case when bool_and(month_first is null) then 'dmy' when bool_and(day_first is null) then 'mdy' end
        from price_move_rows where move_id = ${id} and (day_first is null) <> (month_first is null))
     where id = ${id} and state = 'reading'`;
}
