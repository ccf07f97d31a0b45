import type { ColumnType, Generated, JSONColumnType } from 'kysely';

export type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>;
export type NullableTimestamp = ColumnType<
  Date | null,
  Date | string | null | undefined,
  Date | string | null
>;
export type Json<T extends object> = JSONColumnType<T, string | undefined>;

export interface Dated {
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** What staff edit, its `version` telling whether somebody else saved first, and what the demo shop brings. */
export interface Edited extends Dated {
  id: Generated<number>;
  version: Generated<number>;
  is_demo: Generated<boolean>;
}

/** A row of an outbox: its tries, and whose it is while it is sent (decision 033). */
export interface Leased {
  attempts: Generated<number>;
  due_at: Timestamp;
  lease_owner: string | null;
  lease_until: NullableTimestamp;
  last_error: string | null;
  sent_at: NullableTimestamp;
}
