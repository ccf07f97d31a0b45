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

/** Rows that staff edit. `version` detects concurrent edits, and `is_demo` marks the demo shop. */
export interface Edited extends Dated {
  id: Generated<number>;
  version: Generated<number>;
  is_demo: Generated<boolean>;
}

/** A page's texts in search results and link previews. null: the default text. */
interface Searched {
  seo_title: string | null;
  seo_description: string | null;
  share_text: string | null;
  /** Whether search engines are asked not to list the page. */
  noindex: Generated<boolean>;
}

/** Rows that staff edit and that have their own page. */
export interface EditedPage extends Edited, Searched {}

/** A row of an outbox: its attempts, and its lease while it is sent. */
export interface Leased {
  attempts: Generated<number>;
  due_at: Timestamp;
  lease_owner: string | null;
  lease_until: NullableTimestamp;
  last_error: string | null;
  sent_at: NullableTimestamp;
}
