import type { Generated, GeneratedAlways } from 'kysely';
import type { Json, NullableTimestamp, Timestamp } from '#database/schema/column-types.ts';

/**
 * Tables for prices that owners import from other trackers. The price log never contains these
 * prices.
 */
export interface MovedPriceTables {
  price_moves: {
    id: GeneratedAlways<number>;
    file_name: string;
    state: Generated<'reading' | 'ready' | 'running' | 'done' | 'undoing' | 'undone'>;
    /** The tracker for rows that name none. */
    source: Generated<string>;
    /** The order of dates such as 03/04/2025. null: rows with such dates are skipped. */
    day_order: 'dmy' | 'mdy' | null;
    /** The last imported line. */
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
    /** The date if read as day first, and if read as month first. */
    day_first: string | null;
    month_first: string | null;
    price: number | null;
    currency: string | null;
    source: Generated<string>;
    problem: string | null;
    outcome: string | null;
    created_at: Timestamp;
  };
  /** The price of a deal on a day, as seen by another tracker. */
  moved_prices: {
    deal_id: number;
    day: string;
    sale_price: number;
    currency: string;
    source: string;
    /** The import that added the price, so that it can be undone. */
    move_id: number;
  };
}
