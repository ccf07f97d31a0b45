import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Dated, Json, NullableTimestamp, Timestamp } from '#database/schema/column-types.ts';

export type FeedContent = 'deals' | 'coupons';
type FeedSourceKind = 'upload' | 'url' | 'folder';
export type SecretKind = 'password' | 'token' | 'private_key';
/** `none`: prices are whole numbers of minor units, such as cents. */
export type DecimalMark = 'auto' | 'point' | 'comma' | 'none';
export type ImportState =
  | 'queued'
  | 'running'
  | 'done'
  | 'asking'
  | 'unchanged'
  | 'failed'
  | 'interrupted'
  | 'cancelled'
  | 'rolled_back';
export type ImportPhase = 'fetching' | 'reading' | 'matching' | 'writing' | 'ending';
/** A deal's field that a run would change, as text for display. */
export interface FieldChange {
  field: string;
  before: string | null;
  after: string | null;
}

/** A line of a dry run's comparison, with prices in minor units. */
export interface PriceChange {
  line: number;
  title: string;
  slug: string;
  before: number;
  /** The currency of `before`, if it differs from the run's. */
  before_currency?: string;
  after: number;
  is_held: boolean;
  /** Other changed fields. */
  fields?: FieldChange[];
}

/** Tables for imports. */
export interface FeedTables {
  feed_sources: Dated & {
    id: Generated<number>;
    merchant_id: number;
    name: string;
    kind: Generated<FeedSourceKind>;
    location: string;
    format: Generated<string>;
    content: Generated<FeedContent>;
    mapping: Json<Record<string, string>>;
    category_mapping: Json<Record<string, number>>;
    /**
     * The source's normalized column names as one string. Feeds with the same columns are read in
     * the same way.
     */
    head: string | null;
    record_path: string | null;
    mapping_file: ColumnType<unknown, string | null | undefined, string | null>;
    shop_url: string | null;
    decimal_mark: Generated<DecimalMark>;
    /** `auto`, or one of `feed-encodings.ts`. */
    encoding: Generated<string>;
    currency: string | null;
    fallback_category_id: number | null;
    groups_variants: Generated<boolean>;
    ends_missing: Generated<boolean>;
    updates_only: Generated<boolean>;
    schedule_minutes: number | null;
    is_active: Generated<boolean>;
    etag: string | null;
    last_modified: string | null;
    user_name: string | null;
    secret_kind: SecretKind | null;
    sealed_secret: Buffer | null;
    /** The SFTP server's key from the first connection, as `SHA256:…`. */
    host_key: string | null;
    last_run_at: NullableTimestamp;
    next_run_at: NullableTimestamp;
  };
  import_runs: {
    id: Generated<number>;
    feed_source_id: number | null;
    merchant_id: number | null;
    source_name: string;
    format: string;
    /** The encoding that the feed was read with; null before that. */
    encoding: string | null;
    state: Generated<ImportState>;
    is_dry_run: Generated<boolean>;
    file: string | null;
    file_name: string | null;
    phase: ImportPhase | null;
    phase_since: NullableTimestamp;
    bytes_read: Generated<number>;
    bytes_total: number | null;
    rows_total: number | null;
    rows_to_write: number | null;
    rows_done: Generated<number>;
    rows_read: Generated<number>;
    rows_new: Generated<number>;
    rows_changed: Generated<number>;
    rows_unchanged: Generated<number>;
    rows_rejected: Generated<number>;
    rows_held: Generated<number>;
    rows_ended: Generated<number>;
    rows_folded: Generated<number>;
    rows_reduced: Generated<number>;
    may_end_many: Generated<boolean>;
    wants_cancel: Generated<boolean>;
    timing: ColumnType<Partial<Record<ImportPhase, number>>, string | undefined, string>;
    /** The currency of the prices that the run read. */
    currency: Generated<string>;
    preview: ColumnType<PriceChange[] | null, string | null | undefined, string | null>;
    field_changes: ColumnType<
      Record<string, number> | null,
      string | null | undefined,
      string | null
    >;
    /** The cards, new categories and ending deals that a dry run shows. */
    rehearsal: ColumnType<unknown, string | null | undefined, string | null>;
    rollback: ColumnType<Record<string, number> | null, string | null | undefined, string | null>;
    rolled_back_by: string | null;
    error: string | null;
    started_by: string | null;
    started_at: Timestamp;
    beat_at: Timestamp;
    finished_at: NullableTimestamp;
  };
  import_issues: {
    id: GeneratedAlways<number>;
    import_run_id: number;
    kind: Generated<'rejected' | 'held' | 'note'>;
    line: number | null;
    external_id: string | null;
    reason: string;
  };
  import_changes: {
    import_run_id: number;
    deal_id: number;
    kind: 'created' | 'changed' | 'ended';
    before: ColumnType<Record<string, unknown> | null, never, never>;
    /** The currency of the change's prices, if `before` does not contain it. */
    currency: Generated<string>;
    /**
     * The deal's version before the run. null for deals that the run created, and for runs older
     * than this column.
     */
    version_before: number | null;
    version_after: number;
  };
  import_endings: { import_run_id: number; deal_id: number };
  product_questions: {
    deal_id: number;
    import_run_id: number;
    title: string;
    deal_url: string;
    brand: string | null;
    gtin: string | null;
    sale_price: number;
    currency: string;
    asked_at: Generated<Date>;
    is_same: Generated<boolean>;
  };
}
