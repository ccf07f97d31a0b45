import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type {
  Edited,
  EditedPage,
  Json,
  NullableTimestamp,
  Timestamp,
} from '#database/schema/column-types.ts';

export type SlotKind = 'ad' | 'announcement';
export type MoveState = 'reading' | 'ready' | 'running' | 'done' | 'undoing' | 'undone';
export type SlotPlace = 'bar' | 'home' | 'list' | 'deal' | 'article';

/** Tables for the site itself. */
export interface SiteTables {
  blog_posts: EditedPage & {
    title: string;
    slug: string;
    excerpt: Generated<string>;
    content: Generated<string>;
    featured_image_url: string | null;
    author: Generated<string>;
    is_published: Generated<boolean>;
    is_featured: Generated<boolean>;
    tags: Generated<string[]>;
    read_time: Generated<number>;
    published_at: NullableTimestamp;
    /** Whether the publication date has passed, set by the database. */
    is_due: Generated<boolean>;
  };
  site_pages: Omit<EditedPage, 'is_demo'> & {
    slug: string;
    title: string;
    /** One paragraph of Markdown below the title. */
    intro: Generated<string>;
    /** Markdown. */
    content: Generated<string>;
    is_visible: Generated<boolean>;
  };
  /** The owner's ads and announcements. */
  slots: Omit<Edited, 'is_demo'> & {
    kind: SlotKind;
    place: SlotPlace;
    title: string;
    text: Generated<string>;
    /** A path of this site or a URL. */
    url: string | null;
    /** The URL of a library picture. */
    picture_url: string | null;
    picture_alt: Generated<string>;
    /** null: every category */
    category_id: number | null;
    starts_at: NullableTimestamp;
    ends_at: NullableTimestamp;
    is_on: Generated<boolean>;
  };
  slot_days: { slot_id: number; day: string; views: Generated<number>; clicks: Generated<number> };
  /** Pictures that staff uploaded. */
  library_pictures: {
    id: Generated<number>;
    /** A hash of the decoded picture, used in its file names. */
    hash: string;
    original_hash: string;
    name: string;
    alt: Generated<string>;
    /** The path of the widest file. */
    address: string;
    /** pixels; those of the widest file */
    width: number;
    height: number;
    /** bytes; the total of all files */
    bytes: number;
    /** The names of all files in the picture store. */
    files: string[];
    created_by: string | null;
    created_at: Timestamp;
    updated_at: Timestamp;
    version: Generated<number>;
  };
  saved_views: {
    id: GeneratedAlways<number>;
    user_id: string;
    /** The path of the list. */
    list: string;
    name: string;
    search: string;
    is_shared: Generated<boolean>;
    created_at: Timestamp;
  };
  list_columns: { user_id: string; list: string; columns: string[] };
  site_settings: {
    name: string;
    value: ColumnType<unknown, string, string>;
    updated_at: Timestamp;
    updated_by: string | null;
  };
  discovery_queue: {
    id: GeneratedAlways<number>;
    service: 'indexnow' | 'websub';
    path: string;
    queued_at: Timestamp;
  };
  discovery_services: {
    name: 'indexnow' | 'websub';
    due_at: Timestamp;
    lease_owner: string | null;
    lease_until: NullableTimestamp;
    sent_at: NullableTimestamp;
    sent_count: Generated<number>;
    failures: Generated<number>;
    failed_at: NullableTimestamp;
    last_error: string | null;
    stopped_at: NullableTimestamp;
  };
  site_secrets: { name: string; value: string; created_at: Timestamp };
  audit_log: {
    id: GeneratedAlways<number>;
    at: Timestamp;
    actor: string;
    action: string;
    entity: string;
    entity_id: string | null;
    before: ColumnType<unknown, string | null | undefined, never>;
    after: ColumnType<unknown, string | null | undefined, never>;
    /** The currency of the entry's amounts, unless a value names another. */
    currency: Generated<string>;
    /** Names of subjects by kind and id, added by the database. */
    names: ColumnType<Record<string, Record<string, string>> | null, never, never>;
  };
  form_operations: {
    actor: string;
    op: string;
    body_hash: string;
    answer: ColumnType<unknown, string | null | undefined, string | null>;
    created_at: Timestamp;
  };
  captcha_spent: { token_hash: string; expires_at: Date };
  rate_limits: { key: string; points: Generated<number>; expire: number | null };
  policy_reports: {
    directive: string;
    blocked: string;
    path: string;
    seen: number;
    first_seen_at: Timestamp;
    last_seen_at: Timestamp;
  };
  /** Scripts and stylesheets of all builds in use, so that every process can serve them. */
  build_files: { name: string; content: Buffer; seen_at: Timestamp };
  site_processes: {
    host: string;
    port: number;
    role: 'web' | 'worker' | 'all';
    version: string;
    started_at: Timestamp;
    seen_at: Timestamp;
  };
  /** The owner's search synonyms. */
  search_synonyms: {
    id: GeneratedAlways<number>;
    words: string;
    created_at: Timestamp;
  };
  /** Searches that found no deal. */
  missed_searches: {
    words: string;
    visitors: Generated<number>;
    missed_at: Timestamp;
  };
  /** Visitors whose search found nothing, as salted hashes. */
  missed_search_visitors: {
    words: string;
    mark: string;
    missed_at: Timestamp;
  };
  /** Products that visitors requested. */
  product_requests: {
    id: GeneratedAlways<number>;
    url: string;
    title: string;
    visitors: Generated<number>;
    requested_at: Timestamp;
    dismissed_at: NullableTimestamp;
  };
  /** Visitors who requested products, as salted hashes. */
  product_request_visitors: {
    request_id: number;
    mark: string;
    requested_at: Timestamp;
  };
  /** The owner's redirects of old addresses. */
  address_redirects: {
    id: Generated<number>;
    from_path: string;
    target: string | null;
    status: number;
    hits: Generated<number>;
    last_hit_at: NullableTimestamp;
    created_by: string | null;
    created_at: Timestamp;
    updated_at: Timestamp;
    version: Generated<number>;
  };
  site_counters: { name: string; value: number };
  /** Redirect imports, which can be undone for 30 days. */
  redirect_imports: {
    id: GeneratedAlways<number>;
    file_name: string;
    added: number;
    changed: number;
    created_by: string;
    created_at: Timestamp;
    undone_at: NullableTimestamp;
    undone_by: string | null;
  };
  /** The redirects that an import wrote, until it is undone. */
  redirect_changes: {
    import_id: number;
    redirect_id: number;
    from_path: string;
    target: string | null;
    status: number;
    old_target: string | null;
    /** null: the import added the redirect. */
    old_status: number | null;
  };
  /** Uploaded WordPress exports. */
  post_moves: {
    id: GeneratedAlways<number>;
    file_name: string;
    /** The address of the old site. */
    site_url: string | null;
    state: Generated<MoveState>;
    /** The number of items that this site cannot store, by kind. */
    left_out: Json<Record<string, number>>;
    created_by: string;
    created_at: Timestamp;
    ended_at: NullableTimestamp;
    undone_by: string | null;
    /** The category for deals whose own is missing; null: missing categories are added. */
    category_id: number | null;
    /** Ids of added merchants and categories. */
    made: Json<{ merchants: number[]; categories: number[] }>;
  };
  /** Posts, pages, deals, coupons and cloaked links in exports. */
  post_move_items: {
    id: GeneratedAlways<number>;
    move_id: number;
    kind: 'post' | 'page' | 'deal' | 'coupon' | 'link';
    /** The GUID, so that importing the same file again adds nothing. */
    old_key: string;
    /** The id on the old site. */
    old_id: string | null;
    old_url: string;
    old_path: string | null;
    title: string;
    asked_slug: string;
    slug: string | null;
    details: Json<object>;
    /** Cleaned HTML; null once the item is imported. */
    content: string | null;
    notes: Json<string[]>;
    /** The reason why the item is skipped. */
    skip: string | null;
    redirect: 'new' | 'same' | 'none' | null;
    redirect_note: string | null;
    outcome: 'moved' | 'kept' | 'removed' | null;
    /** The id of the imported row. */
    row_id: number | null;
    redirect_id: number | null;
    /** The last version of the post or page that the import wrote. */
    written_version: Generated<number>;
  };
  /** Pictures from the old sites of imports. */
  post_move_pictures: {
    id: GeneratedAlways<number>;
    move_id: number;
    /** The https URL of the original. */
    address: string;
    /** URLs to try, in this order. Texts contain one of them. */
    sources: string[];
    old_path: string | null;
    is_http: Generated<boolean>;
    alt: Generated<string>;
    /** The items that show the picture. */
    items: number[];
    state: Generated<'waiting' | 'fetched' | 'failed'>;
    due_at: NullableTimestamp;
    attempts: Generated<number>;
    reason: string | null;
    picture_id: number | null;
    /** Whether this import added the picture to the library. */
    is_new: Generated<boolean>;
  };
  /** Paths that visitors requested but that have no page. */
  missed_paths: {
    path: string;
    visitors: Generated<number>;
    missed_at: Timestamp;
  };
  /** Visitors of missing paths, as salted hashes. */
  missed_path_visitors: {
    path: string;
    mark: string;
    missed_at: Timestamp;
  };
  /** Runs of scheduled jobs. The process that inserts the row runs the job. */
  job_runs: {
    id: GeneratedAlways<number>;
    name: string;
    /** The scheduled minute. */
    due_at: Date;
    started_at: Timestamp;
    seen_at: Timestamp;
    ended_at: NullableTimestamp;
    error: string | null;
  };
  /** The versions that have run on this database. */
  site_versions: {
    version: string;
    started_at: Timestamp;
  };
}
