import { type RawBuilder, type Selectable, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { MovedPriceTables } from '#database/schema/moved-price-tables.ts';
import type { PriceCounts, PriceOutcome } from './price-outcomes.ts';

export type PriceMove = Selectable<MovedPriceTables['price_moves']>;

/** A row as shown or exported. */
export interface PriceMoveRow {
  line: number;
  deal: string;
  date: string;
  price: string;
  source: string;
  outcome: PriceOutcome;
}

/**
 * A price that differs from the deal's by more than this factor is a mistake, such as a missing
 * decimal mark.
 */
const mostTimes = 50;

export async function findPriceMove(db: Db, id: number): Promise<PriceMove | null> {
  const row = await db
    .selectFrom('price_moves')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the latest imports. */
export function listPriceMoves(db: Db): Promise<PriceMove[]> {
  return db
    .selectFrom('price_moves')
    .selectAll()
    .where('state', '<>', 'reading')
    .orderBy('id', 'desc')
    .limit(50)
    .execute();
}

/**
 * Selects rows `r` of an import with their outcome: the stored one, or the outcome of importing the
 * row now. `is_new` is whether the row will be written.
 */
export function pricesWithOutcome(move: PriceMove, condition: RawBuilder<unknown>) {
  const order = move.day_order;
  const day = sql`case when ${order}::text = 'dmy' then r.day_first when ${order}::text = 'mdy' then r.month_first
    when r.day_first is null or r.day_first = r.month_first then r.month_first
    when r.month_first is null then r.day_first end`;
  return sql`
    with chosen as materialized (
      select r.*, ${day} as day, coalesce(nullif(r.source, ''), ${move.source}) as tracker
        from price_move_rows r where r.move_id = ${move.id} and ${condition}
    ), seen as materialized (
      -- Half a day covers the time zones in which our first day is the one before.
      select o.deal_id, (select (min(l.at) at time zone 'utc' - interval '12 hours')::date from valid_prices l where l.deal_id = o.deal_id) as since
        from (select distinct deal_id from chosen where deal_id is not null) o
    ), judged as (
      select r.line, r.deal_text, r.date_text, r.price_text, r.deal_id, r.day, r.price, r.currency, r.tracker,
             r.outcome is null as is_new,
             coalesce(r.outcome, r.problem, case
               when r.day is null and r.day_first is not null and r.month_first is not null then 'ambiguous-date'
               when r.day is null then 'bad-date'
               when r.day > (now() at time zone 'utc' + interval '14 hours')::date then 'future'
               when r.day < '1995-01-01' then 'too-old'
               when d.id is null and exists (select from deleted_deals k where k.deal_id = r.deal_id) then 'in-trash'
               when d.id is null then 'no-deal'
               when not m.keep_history then 'not-tracked'
               when d.currency <> r.currency then 'other-currency'
               when r.price > d.sale_price::bigint * ${mostTimes} or r.price::bigint * ${mostTimes} < d.sale_price then 'far-price'
               when r.day >= s.since then 'seen-here'
               when r.tracker = '' then 'no-source'
               when p.move_id = ${move.id} then 'duplicate'
               when p.move_id is not null then 'already-here'
               else 'taken' end) as outcome
        from chosen r
        left join seen s on s.deal_id = r.deal_id
        left join deals d on d.id = r.deal_id
        left join merchants m on m.id = d.merchant_id
        left join moved_prices p on p.deal_id = r.deal_id and p.day = r.day
    )
    select line, deal_text as deal, date_text as date, price_text as price_text, tracker as source, deal_id, day, price, currency, is_new,
           case when outcome = 'taken' and row_number() over (partition by outcome, deal_id, day order by line) > 1
             then 'duplicate' else outcome end as outcome
      from judged`;
}

/** Counts the rows of an import by outcome. */
export async function countPriceOutcomes(db: Db, move: PriceMove): Promise<PriceCounts> {
  if (move.state !== 'ready') return move.counts;
  const rows = await ask(db).rows<{ outcome: PriceOutcome; count: number }>`
    select outcome, count(*)::integer as count from (${pricesWithOutcome(move, sql`true`)}) all_rows
     group by outcome`;
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]));
}

const shownOfEach = 50;

/** Returns the first rows of each outcome, and none once they are deleted. */
export function listFirstPrices(db: Db, move: PriceMove): Promise<PriceMoveRow[]> {
  return ask(db).rows<PriceMoveRow>`
    select line, deal, date, price_text as price, source, outcome
      from (select o.*, row_number() over (partition by outcome order by line) as place
              from (${pricesWithOutcome(move, sql`true`)}) o) ranked
     where place <= ${shownOfEach} order by line`;
}

const rowsAtATime = 2_000;

/** Yields the rows that were not imported, as fast as the client reads them. */
export async function* exportPricesLeftOut(
  db: Db,
  move: PriceMove,
  describe: (outcome: PriceOutcome) => string,
): AsyncGenerator<(string | number)[]> {
  for (let last = 0; ;) {
    const end = await ask(db).value<number>`
      select max(line) from (
        select line from price_move_rows where move_id = ${move.id} and line > ${last} order by line limit ${rowsAtATime}) batch`;
    if (end === null) return;
    const rows = await ask(db).rows<PriceMoveRow>`
      select line, deal, date, price_text as price, source, outcome
        from (${pricesWithOutcome(move, sql`r.line > ${last} and r.line <= ${end}`)}) some_rows order by line`;
    last = end;
    for (const { line, deal, date, price, source, outcome } of rows) {
      if (outcome !== 'taken') yield [line, deal, date, price, source, describe(outcome)];
    }
  }
}
