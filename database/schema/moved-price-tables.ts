import type { Generated, GeneratedAlways } from 'kysely';
import type { Json, NullableTimestamp, Timestamp } from '#database/schema/column-types.ts';

/** Tables of prices that owners import from other trackers. The price log has none of them. */
export interface MovedPriceTables {
  price_moves: {
    id: GeneratedAlways<number>;
    file_name: string;
    state: Generated<'reading' | 'ready' | 'running' | 'done' | 'undoing' | 'undone'>;
    /** The tracker of rows that name none. */
    source: Generated<string>;
    /** The order of dates such as 03/04/2025. null: rows with such a date are left out. */
    day_order: 'dmy' | 'mdy' | null;
    /** The last line that moved. */
    done_line: Generated<number>;
    /** The number of rows by outcome. */
    counts: Json<Record<string, number>>;
    created_by: string;
    created_at: Timestamp;
    ended_at: NullableTimestamp;
    undone_by: string | null;
  };
  price_move_rows: {
    move_id: number;
    line: number;
    deal_text: string;
    date_text: string;
    price_text: string;
    /** The deal, which may be in the trash. null: none was found. */
    deal_id: number | null;
    /** The day, if the date begins with it, and if it begins with the month. */
    day_first: string | null;
    month_first: string | null;
    price: number | null;
    currency: string | null;
    source: Generated<string>;
    problem: string | null;
    outcome: string | null;
    created_at: Timestamp;
  };
  /** The price of a deal on a day, as another tracker saw it. */
  moved_prices: {
    deal_id: number;
    day: string;
    sale_price: number;
    currency: string;
    source: string;
    /** The move that added the price, for its undo. */
    move_id: number;
  };
}
