import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely';

/**
 * The rows of the database, as `migrations/` makes them. Money is integer minor units (cents),
 * times are `Date`, ids are numbers (a bigint column is parsed by `connect.ts`; ours stay far below 2^53).
 */
export interface Database {
  categories: CategoriesTable;
  merchants: MerchantsTable;
  deals: DealsTable;
  deleted_deals: DeletedDealsTable;
  bulk_changes: BulkChangesTable;
  slug_redirects: SlugRedirectsTable;
  price_log: PriceLogTable;
  site_counters: { name: string; value: number };
  users: UsersTable;
  sessions: SessionsTable;
  accounts: AccountsTable;
  verifications: VerificationsTable;
  two_factors: TwoFactorsTable;
  passkeys: PasskeysTable;
  backup_codes: { user_id: string; code_hash: string };
  captcha_spent: { token_hash: string; expires_at: Date };
  rate_limits: { key: string; points: Generated<number>; expire: number | null };
  policy_reports: PolicyReportsTable;
  site_secrets: { name: string; value: string; created_at: Timestamp };
  user_favorites: UserFavoritesTable;
  price_alerts: PriceAlertsTable;
  price_alert_events: PriceAlertEventsTable;
  alert_mail_days: { user_id: string; day: string; mails: number };
  push_subscriptions: PushSubscriptionsTable;
  push_outbox: PushOutboxTable;
  newsletter_subscriptions: NewsletterSubscriptionsTable;
  blog_posts: BlogPostsTable;
  contact_messages: ContactMessagesTable;
  mail_outbox: MailOutboxTable;
  newsletter_issues: NewsletterIssuesTable;
  clicks: ClicksTable;
  feed_sources: FeedSourcesTable;
  import_runs: ImportRunsTable;
  import_issues: ImportIssuesTable;
  import_changes: ImportChangesTable;
  import_endings: { import_run_id: number; deal_id: number };
  deal_price_checks: { deal_id: number; checked_at: Timestamp };
  duplicate_dismissals: { deal_id: number; other_id: number; at: Timestamp };
  site_settings: SiteSettingsTable;
  audit_log: AuditLogTable;
  form_operations: FormOperationsTable;
  api_keys: ApiKeysTable;
  webhook_endpoints: WebhookEndpointsTable;
  webhook_deliveries: WebhookDeliveriesTable;
}

type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>;
type NullableTimestamp = ColumnType<
  Date | null,
  Date | string | null | undefined,
  Date | string | null
>;
type Json<T extends object> = JSONColumnType<T, string | undefined>;

export const categoryIcons = [
  'tag',
  'smartphone',
  'shirt',
  'home',
  'dumbbell',
  'book',
  'heart',
  'car',
  'gamepad2',
  'shopping-bag',
  'wrench',
] as const;
export const dealConditions = [
  'acceptable',
  'good',
  'very_good',
  'like_new',
  'refurbished',
] as const;
export type CategoryIcon = (typeof categoryIcons)[number];
export type DealCondition = (typeof dealConditions)[number];
export type DealStatus = 'new' | 'used';
export type SellerType = 'amazon' | 'third_party';
export type Availability = 'in_stock' | 'out_of_stock' | 'unknown';
export const bulkVerbs = [
  'activate',
  'deactivate',
  'feature',
  'unfeature',
  'category',
  'delete',
  'restore',
] as const;
export type BulkVerb = (typeof bulkVerbs)[number];
export type PriceSource = 'admin' | 'import' | 'feed' | 'demo';
export type Role = 'user' | 'admin' | 'super_admin';

interface CategoriesTable {
  id: Generated<number>;
  name: string;
  slug: string;
  description: Generated<string>;
  icon: Generated<string>;
  deal_count: Generated<number>;
  version: Generated<number>;
  is_demo: Generated<boolean>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface MerchantsTable {
  id: Generated<number>;
  name: string;
  slug: string;
  description: Generated<string>;
  logo_url: string | null;
  website_url: string | null;
  is_featured: Generated<boolean>;
  external_id: string | null;
  affiliate_template: string | null;
  affiliate_sub_id: string | null;
  free_shipping_over: number | null;
  keep_history: Generated<boolean>;
  allow_alerts: Generated<boolean>;
  hide_price_after_hours: number | null;
  show_price_timestamp: Generated<boolean>;
  price_disclaimer: string | null;
  deal_count: Generated<number>;
  version: Generated<number>;
  is_demo: Generated<boolean>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface DealsTable {
  id: Generated<number>;
  slug: string;
  title: string;
  description: Generated<string>;
  image_url: string | null;
  sale_price: number;
  original_price: number | null;
  discount_amount: GeneratedAlways<number | null>;
  discount_percent: GeneratedAlways<number>;
  coupon_code: string | null;
  expires_at: NullableTimestamp;
  is_expired: Generated<boolean>;
  deal_url: string;
  is_active: Generated<boolean>;
  is_featured: Generated<boolean>;
  status: Generated<DealStatus>;
  condition: DealCondition | null;
  seller_type: Generated<SellerType>;
  availability: Generated<Availability>;
  category_id: number;
  merchant_id: number;
  external_id: string | null;
  brand: string | null;
  gtin: string | null;
  price_source: Generated<PriceSource>;
  price_since: Timestamp;
  price_checked_at: Timestamp;
  low_30_before: number | null;
  observed_percent: GeneratedAlways<number>;
  held_price: number | null;
  held_at: NullableTimestamp;
  /** A fall of more than 90 % that somebody refused: the same price is not asked about again. */
  refused_price: number | null;
  /** The source that last brought or confirmed it, which may end it by falling silent. */
  feed_source_id: number | null;
  /** What the job `check-links` saw, by its times: asked last, found missing first, known to be broken since. */
  link_checked_at: NullableTimestamp;
  link_missed_at: NullableTimestamp;
  link_broken_since: NullableTimestamp;
  /** When somebody said that it leads where it should, whatever programs are told. */
  link_trusted_at: NullableTimestamp;
  version: Generated<number>;
  is_demo: Generated<boolean>;
  created_at: Timestamp;
  updated_at: Timestamp;
  search: GeneratedAlways<string>;
  /** The filters of the list in one number: 1 used, 2 third party, 4 has a coupon, 8 featured. */
  traits: GeneratedAlways<number>;
}

interface DeletedDealsTable {
  id: GeneratedAlways<number>;
  batch: string;
  deal_id: number;
  deleted_by: string;
  deleted_at: Timestamp;
  /** Rows by table name: what `restore_deal` puts back. */
  snapshot: Json<Record<string, unknown[]>>;
}

interface BulkChangesTable {
  id: Generated<number>;
  actor: string;
  verb: BulkVerb;
  category_id: number | null;
  batch: string;
  deal_ids: ColumnType<number[], number[], never>;
  total: GeneratedAlways<number>;
  done: Generated<number>;
  changed: Generated<number>;
  /** The first hundred. */
  failures: Json<{ id: number; reason: string }[]>;
  failed: Generated<number>;
  state: Generated<'queued' | 'done' | 'failed'>;
  error: string | null;
  created_at: Timestamp;
  finished_at: NullableTimestamp;
}

interface SlugRedirectsTable {
  kind: 'deal' | 'category' | 'merchant' | 'blog_post';
  slug: string;
  target_id: number;
  created_at: Timestamp;
}

interface PriceLogTable {
  id: GeneratedAlways<number>;
  deal_id: number;
  at: Timestamp;
  sale_price: number;
  original_price: number | null;
  availability: Availability;
  source: PriceSource;
  import_run_id: number | null;
}

interface UsersTable {
  id: string;
  email: string;
  full_name: Generated<string>;
  role: Generated<Role>;
  role_version: Generated<number>;
  email_verified: Generated<boolean>;
  image: string | null;
  two_factor_enabled: Generated<boolean>;
  remind_before_expiry: Generated<boolean>;
  disconnected_providers: Generated<string[]>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface SessionsTable {
  id: string;
  token: string;
  user_id: string;
  role_version: Generated<number>;
  expires_at: Date;
  ip_address: string | null;
  user_agent: string | null;
  by_passkey: Generated<boolean>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface AccountsTable {
  id: string;
  account_id: string;
  provider_id: string;
  user_id: string;
  access_token: string | null;
  refresh_token: string | null;
  id_token: string | null;
  access_token_expires_at: NullableTimestamp;
  refresh_token_expires_at: NullableTimestamp;
  scope: string | null;
  password: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface VerificationsTable {
  id: string;
  identifier: string;
  value: string;
  expires_at: Date;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface PasskeysTable {
  id: string;
  user_id: string;
  name: string;
  public_key: Buffer;
  algorithm: number;
  counter: Generated<number>;
  created_at: Timestamp;
  last_used_at: NullableTimestamp;
}

interface TwoFactorsTable {
  user_id: string;
  sealed_key: Buffer;
  confirmed_at: NullableTimestamp;
  last_step: Generated<number>;
  created_at: Timestamp;
}

interface UserFavoritesTable {
  id: Generated<number>;
  user_id: string;
  deal_id: number;
  /** The end of the deal that its user was reminded of. */
  reminded_for: NullableTimestamp;
  created_at: Timestamp;
}

interface PriceAlertsTable {
  id: Generated<number>;
  user_id: string;
  deal_id: number;
  kind: Generated<
    'target' | 'any_drop' | 'percent_drop' | 'new_low_30' | 'new_low_90' | 'back_in_stock'
  >;
  target_price: number | null;
  target_percent: number | null;
  base_price: number | null;
  is_active: Generated<boolean>;
  fired_at: NullableTimestamp;
  fired_price: number | null;
  last_mailed_at: NullableTimestamp;
  last_mailed_price: number | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface PushSubscriptionsTable {
  id: Generated<number>;
  user_id: string;
  endpoint: string;
  p256dh: string;
  auth: string;
  user_agent: Generated<string>;
  created_at: Timestamp;
}

interface PushOutboxTable {
  id: GeneratedAlways<number>;
  key: string;
  subscription_id: number;
  event_id: number;
  state: Generated<'queued' | 'sent' | 'failed' | 'cancelled'>;
  attempts: Generated<number>;
  due_at: Timestamp;
  lease_owner: string | null;
  lease_until: NullableTimestamp;
  last_error: string | null;
  created_at: Timestamp;
  sent_at: NullableTimestamp;
}

interface PriceAlertEventsTable {
  id: GeneratedAlways<number>;
  alert_id: number;
  price_log_id: number | null;
  old_price: number | null;
  new_price: number;
  fired_at: Timestamp;
  mail_state: Generated<'queued' | 'digest' | 'same_drop' | 'unverified' | 'price_rose'>;
  mail_key: string | null;
  user_id: string | null;
  digest_day: ColumnType<string | null, string | null | undefined, string | null>;
}

interface NewsletterSubscriptionsTable {
  id: Generated<number>;
  email: string;
  is_active: Generated<boolean>;
  subscribed_at: Timestamp;
  unsubscribed_at: NullableTimestamp;
  confirmed_at: NullableTimestamp;
  token_nonce: Generated<string>;
}

interface BlogPostsTable {
  id: Generated<number>;
  title: string;
  slug: string;
  excerpt: Generated<string>;
  content: Generated<string>;
  featured_image_url: string | null;
  author: Generated<string>;
  is_published: Generated<boolean>;
  is_featured: Generated<boolean>;
  seo_title: string | null;
  seo_description: string | null;
  tags: Generated<string[]>;
  read_time: Generated<number>;
  published_at: NullableTimestamp;
  /** Kept by the database: its time has come. */
  is_due: Generated<boolean>;
  version: Generated<number>;
  is_demo: Generated<boolean>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface ContactMessagesTable {
  id: Generated<number>;
  name: string;
  email: string;
  subject: string;
  message: string;
  is_read: Generated<boolean>;
  read_at: NullableTimestamp;
  read_by: string | null;
  created_at: Timestamp;
}

interface MailOutboxTable {
  id: GeneratedAlways<number>;
  key: string;
  kind: string;
  recipient: string;
  user_id: string | null;
  payload: Json<Record<string, unknown>>;
  /** Made of the key by the database; the Message-ID is `<message_id@host>`. */
  message_id: GeneratedAlways<string>;
  state: Generated<'queued' | 'sent' | 'failed' | 'cancelled' | 'kept'>;
  attempts: Generated<number>;
  due_at: Timestamp;
  lease_until: NullableTimestamp;
  sent_at: NullableTimestamp;
  last_error: string | null;
  trying_since: Timestamp;
  lease_owner: string | null;
  reply: string | null;
  unsure_count: Generated<number>;
  address_refused_at: NullableTimestamp;
  is_bulk: Generated<boolean>;
  created_at: Timestamp;
}

interface NewsletterIssuesTable {
  id: Generated<number>;
  week: string;
  content: Json<Record<string, unknown>>;
  created_at: Timestamp;
}

interface ClicksTable {
  deal_id: number;
  day: ColumnType<string, string, string>;
  count: Generated<number>;
}

export type FeedSourceKind = 'upload' | 'url' | 'folder';
export type DecimalMark = 'auto' | 'point' | 'comma';
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

interface FeedSourcesTable {
  id: Generated<number>;
  merchant_id: number;
  name: string;
  kind: Generated<FeedSourceKind>;
  location: string;
  format: Generated<string>;
  mapping: Json<Record<string, string>>;
  category_mapping: Json<Record<string, number>>;
  decimal_mark: Generated<DecimalMark>;
  currency: string | null;
  fallback_category_id: number | null;
  groups_variants: Generated<boolean>;
  ends_missing: Generated<boolean>;
  schedule_minutes: number | null;
  is_active: Generated<boolean>;
  etag: string | null;
  last_modified: string | null;
  last_run_at: NullableTimestamp;
  next_run_at: NullableTimestamp;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface ImportRunsTable {
  id: Generated<number>;
  feed_source_id: number | null;
  merchant_id: number | null;
  source_name: string;
  format: string;
  state: Generated<ImportState>;
  is_dry_run: Generated<boolean>;
  file: string | null;
  file_name: string | null;
  phase: ImportPhase | null;
  bytes_read: Generated<number>;
  bytes_total: number | null;
  rows_total: number | null;
  rows_done: Generated<number>;
  rows_read: Generated<number>;
  rows_new: Generated<number>;
  rows_changed: Generated<number>;
  rows_unchanged: Generated<number>;
  rows_rejected: Generated<number>;
  rows_held: Generated<number>;
  rows_ended: Generated<number>;
  rows_folded: Generated<number>;
  may_end_many: Generated<boolean>;
  wants_cancel: Generated<boolean>;
  timing: ColumnType<Partial<Record<ImportPhase, number>>, string | undefined, string>;
  preview: ColumnType<PriceChange[] | null, string | null | undefined, string | null>;
  rollback: ColumnType<Record<string, number> | null, string | null | undefined, string | null>;
  rolled_back_by: string | null;
  error: string | null;
  started_by: string | null;
  started_at: Timestamp;
  beat_at: Timestamp;
  finished_at: NullableTimestamp;
}

/** A line of a dry run's comparison. Prices in cents. */
export interface PriceChange {
  line: number;
  title: string;
  slug: string;
  before: number;
  after: number;
  is_held: boolean;
}

interface ImportIssuesTable {
  id: GeneratedAlways<number>;
  import_run_id: number;
  kind: Generated<'rejected' | 'held' | 'note'>;
  line: number | null;
  external_id: string | null;
  reason: string;
}

interface ImportChangesTable {
  import_run_id: number;
  deal_id: number;
  kind: 'created' | 'changed' | 'ended';
  before: ColumnType<Record<string, unknown> | null, never, never>;
  version_after: number;
}

interface SiteSettingsTable {
  name: string;
  value: ColumnType<unknown, string, string>;
  updated_at: Timestamp;
  updated_by: string | null;
}

interface AuditLogTable {
  id: GeneratedAlways<number>;
  at: Timestamp;
  actor: string;
  action: string;
  entity: string;
  entity_id: string | null;
  before: ColumnType<unknown, string | null | undefined, never>;
  after: ColumnType<unknown, string | null | undefined, never>;
}

interface FormOperationsTable {
  actor: string;
  op: string;
  body_hash: string;
  answer: ColumnType<unknown, string | null | undefined, string | null>;
  created_at: Timestamp;
}

interface PolicyReportsTable {
  directive: string;
  blocked: string;
  path: string;
  seen: number;
  first_seen_at: Timestamp;
  last_seen_at: Timestamp;
}

interface ApiKeysTable {
  id: Generated<number>;
  name: string;
  prefix: string;
  key_hash: string;
  per_minute: number | null;
  created_by: string | null;
  last_used_at: NullableTimestamp;
  revoked_at: NullableTimestamp;
  created_at: Timestamp;
}

export const webhookEvents = ['deal.published', 'deal.price_changed', 'alert.fired'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

interface WebhookEndpointsTable {
  id: Generated<number>;
  url: string;
  events: WebhookEvent[];
  secret: Buffer;
  old_secret: Buffer | null;
  old_secret_until: NullableTimestamp;
  is_active: Generated<boolean>;
  failures: Generated<number>;
  failing_since: NullableTimestamp;
  paused_until: NullableTimestamp;
  switched_off_at: NullableTimestamp;
  created_by: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

interface WebhookDeliveriesTable {
  id: GeneratedAlways<number>;
  endpoint_id: number;
  message_id: Generated<string>;
  event: WebhookEvent | 'ping';
  deal_id: number | null;
  alert_id: number | null;
  price: number | null;
  previous_price: number | null;
  occurred_at: Timestamp;
  state: Generated<'queued' | 'sent' | 'failed' | 'cancelled'>;
  attempts: Generated<number>;
  due_at: Timestamp;
  trying_since: Timestamp;
  lease_until: NullableTimestamp;
  lease_owner: string | null;
  sent_at: NullableTimestamp;
  answer_status: number | null;
  last_error: string | null;
}
