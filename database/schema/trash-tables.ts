import type { Generated, GeneratedAlways } from 'kysely';
import type { Json, Timestamp } from '#database/schema/column-types.ts';

/** Tables for deleted items. */
export interface TrashTables {
  deleted_deals: {
    id: GeneratedAlways<number>;
    batch: string;
    deal_id: number;
    deleted_by: string;
    deleted_at: Timestamp;
    /** Rows by table name, for `restore_deal`. */
    snapshot: Json<Record<string, unknown[]>>;
    /** The currency of the snapshot's prices, unless the snapshot contains it. */
    currency: Generated<string>;
    name: Generated<string>;
  };
  /** Rows that were too many for a deleted deal's snapshot. */
  deleted_deal_rows: { deleted_id: number; part: string; place: number; kept: Json<unknown[]> };
  deleted_rows: {
    id: GeneratedAlways<number>;
    entity: string;
    row_id: number;
    name: string;
    deleted_by: string;
    deleted_at: Timestamp;
  };
  /** A deleted row, at place 0, and the rows deleted with it. */
  deleted_row_parts: {
    deleted_id: number;
    place: number;
    from_table: string;
    kept: Json<unknown[]>;
  };
}
