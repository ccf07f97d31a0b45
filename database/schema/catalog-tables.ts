import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type {
  Edited,
  EditedPage,
  Json,
  NullableTimestamp,
  Timestamp,
} from '#database/schema/column-types.ts';

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
  'price',
  'end',
  'put-back',
  'approve-price',
  'refuse-price',
] as const;
export type BulkVerb = (typeof bulkVerbs)[number];
export type ClickPlace = 'site' | 'category' | 'merchant' | 'feed';
export type Verdict = 'matches' | 'smaller' | 'none' | 'unknown';
export type LeaveOutReason = 'currency' | 'pack' | 'price' | 'other';
export type PriceSource = 'admin' | 'import' | 'feed' | 'demo';

/** Tables for the catalog. */
export interface CatalogTables {
  categories: EditedPage & {
    share_image_url: string | null;
    name: string;
    slug: string;
    description: Generated<string>;
    icon: Generated<string>;
    deal_count: Generated<number>;
  };
  merchants: EditedPage & {
    share_image_url: string | null;
    name: string;
    slug: string;
    description: Generated<string>;
    logo_url: string | null;
    website_url: string | null;
    is_featured: Generated<boolean>;
    external_id: string | null;
    affiliate_template: string | null;
    affiliate_sub_id: string | null;
    sub_id_network: Generated<string>;
    free_shipping_over: number | null;
    /** The shipping cost of orders below `free_shipping_over`. */
    standard_shipping: number | null;
    /** Whether the store's deals become offers of products without a review. */
    matches_freely: Generated<boolean>;
    keep_history: Generated<boolean>;
    allow_alerts: Generated<boolean>;
    hide_price_after_hours: number | null;
    show_price_timestamp: Generated<boolean>;
    price_disclaimer: string | null;
    keeps_pictures: Generated<boolean>;
    /** The seller type of deals that the merchant's feeds add. */
    seller_type: Generated<SellerType>;
    /** The store's reply to its discount check, and the date of the reply. */
    check_reply: string | null;
    check_replied_at: ColumnType<Date | null, never, never>;
    deal_count: Generated<number>;
  };
  deals: Edited & {
    slug: string;
    title: string;
    description: Generated<string>;
    image_url: string | null;
    sale_price: number;
    original_price: number | null;
    /** The currency of the deal's prices: the site's, unless the deal waits for a price in it. */
    currency: Generated<string>;
    /**
     * Whether the deal was live until the site's currency changed. Its first price in the new
     * currency makes it live again.
     */
    waits_for_price: Generated<boolean>;
    /** The time of the first price in this currency after one in another. */
    currency_since: NullableTimestamp;
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
    /** The manufacturer's part number. */
    mpn: string | null;
    /** The store's id for the deal's group of variants. */
    item_group_id: string | null;
    net_contents: string | null;
    /** The shipping cost, if the store states one. */
    shipping_cost: number | null;
    /** The product that the deal is an offer of, linked by GTIN or by staff. */
    product_id: number | null;
    /** Whether staff linked the deal to its product. If not, the link depends on its GTIN. */
    product_confirmed: Generated<boolean>;
    price_source: Generated<PriceSource>;
    price_since: Timestamp;
    price_checked_at: Timestamp;
    low_30_before: number | null;
    observed_percent: GeneratedAlways<number>;
    /** The base of a checked discount, set by triggers. null while the log is too short. */
    reference_price: number | null;
    checked_percent: GeneratedAlways<number>;
    held_price: number | null;
    held_at: NullableTimestamp;
    /**
     * A price drop of more than 90% that staff rejected, so that the same price is not held again.
     */
    refused_price: number | null;
    /** The source that last imported or confirmed the deal. This source may end it. */
    feed_source_id: number | null;
    /** Times set by the job `check-links`: last checked, first found missing, broken since. */
    link_checked_at: NullableTimestamp;
    link_missed_at: NullableTimestamp;
    link_broken_since: NullableTimestamp;
    /** The time when staff confirmed that the link works, even if automated checks fail. */
    link_trusted_at: NullableTimestamp;
    /** List filters as bits: 1 used, 2 third-party seller, 4 has a coupon, 8 featured. */
    traits: GeneratedAlways<number>;
  };
  /** The search texts of a deal, maintained by triggers on `deals`. */
  deal_texts: {
    deal_id: number;
    is_active: boolean;
    is_expired: boolean;
    traits: number;
    category_id: number;
    merchant_id: number;
    created_at: Date;
    expires_at: Date | null;
    /** The brand in folded form. */
    brand: string | null;
    /** The title in folded form. */
    title: string;
    /** The words of the title and the description. */
    search: string;
  };
  price_log: {
    id: GeneratedAlways<number>;
    deal_id: number;
    at: Timestamp;
    sale_price: number;
    original_price: number | null;
    availability: Availability;
    source: PriceSource;
    import_run_id: number | null;
    currency: Generated<string>;
  };
  /** Voided lines of the price log, with who voided them, when and why. */
  price_voids: {
    id: GeneratedAlways<number>;
    line_id: number;
    deal_id: number;
    voided_at: Timestamp;
    actor: string;
    reason: string;
  };
  /** Price facts of a deal, set by a trigger: the steps of 90 days and the one before them. */
  price_proofs: {
    deal_id: number;
    currency: string;
    watched_since: Date | null;
    lowest_ever: number | null;
    /** The lowest price before the current one began. */
    lowest_before: number | null;
    claim: number | null;
    claim_seen_until: Date | null;
    at: number[];
    price: number[];
    low: number[];
    /** The percentage below the usual price. null if it is not below, or unknown. */
    below_usual: number | null;
    /** The time-weighted median of 90 days. null if the deal was in stock for less than 14 days. */
    usual_price: number | null;
    /** The base price that the discount check used for the current discount. */
    measured_price: number | null;
    reference_price: number | null;
    /** The last time when the price was lower, among the steps. `-infinity`: never. */
    lower_until: Timestamp;
    /** The last time when the price was higher. null: never, or the deal is out of stock. */
    higher_until: Date | null;
  };
  /**
   * The evidence in the log for each discount that a store announced, written by
   * `check_reductions`.
   */
  reduction_checks: {
    deal_id: number;
    began_at: Date;
    merchant_id: number;
    currency: string;
    sale_price: number;
    struck_price: number;
    announced: number;
    low30: number | null;
    common90: number | null;
    measured: number | null;
    seen: number | null;
    is_standing: boolean;
    logged_days: number;
    read_days: number | null;
    raised_at: Date | null;
    raised_before: GeneratedAlways<boolean>;
    never_seen: boolean | null;
    verdict: Verdict;
    left_out: LeaveOutReason | null;
  };
  store_days: {
    merchant_id: number;
    day: ColumnType<string, string, string>;
    is_read: Generated<boolean>;
    deals: Generated<number>;
    at_low: Generated<number>;
  };
  store_checks: {
    merchant_id: number;
    counted_at: Timestamp;
    is_outdated: Generated<boolean>;
    announced: Generated<number>;
    checked: Generated<number>;
    matched: Generated<number>;
    smaller: Generated<number>;
    nothing: Generated<number>;
    raised: Generated<number>;
    left_out: Generated<number>;
    median_announced: number | null;
    median_seen: number | null;
    watched_long: Generated<number>;
    never_seen: Generated<number>;
    feed_days: Generated<number>;
    read_days: Generated<number>;
    gap_from: ColumnType<string, string, string> | null;
    gap_days: Generated<number>;
    lows: ColumnType<{ month: string; deals: number; at_low: number }[], string, string>;
  };
  discount_check_pass: { is_only: Generated<boolean>; deal_next: number | null };
  deal_price_checks: { deal_id: number; checked_at: Timestamp };
  duplicate_dismissals: { deal_id: number; other_id: number; at: Timestamp };
  clicks: {
    deal_id: number;
    day: ColumnType<string, string, string>;
    count: Generated<number>;
  };
  /**
   * Clicks by day, for the site and for the deal's category, merchant and feed at that time.
   * `place_id` 0: the site, or no feed.
   */
  click_days: {
    kind: ClickPlace;
    place_id: number;
    day: ColumnType<string, string, string>;
    count: number;
  };
  /** The clicks of the last 30 days, for deals that have any. A trigger and a job maintain them. */
  recent_clicks: { deal_id: number; count: number };
  slug_redirects: {
    kind: 'deal' | 'category' | 'merchant' | 'blog_post' | 'page';
    slug: string;
    target_id: number;
    created_at: Timestamp;
  };
  /** Copies of stores' pictures. */
  pictures: {
    id: GeneratedAlways<number>;
    source: string;
    source_key: string;
    merchant_id: number;
    name: string | null;
    bytes: Generated<number>;
    is_refused: Generated<boolean>;
    shown_on: ColumnType<string, string | undefined, string>;
    looked_at: NullableTimestamp;
    due_at: NullableTimestamp;
    attempts: Generated<number>;
    last_error: string | null;
  };
  /** Picture files by name, instead of files in `DATA_DIR/media`. */
  stored_pictures: { name: string; content: Buffer; written_at: Timestamp };
  bulk_changes: {
    id: Generated<number>;
    actor: string;
    verb: BulkVerb;
    category_id: number | null;
    /** The edited values as a `SeenEdit`, for actions that edit. */
    edit: ColumnType<unknown, string | null | undefined, never>;
    batch: string;
    deal_ids: ColumnType<number[], number[], never>;
    total: GeneratedAlways<number>;
    done: Generated<number>;
    changed: Generated<number>;
    failures: Json<{ id: number; reason: string }[]>;
    failed: Generated<number>;
    state: Generated<'queued' | 'done' | 'failed'>;
    error: string | null;
    created_at: Timestamp;
    finished_at: NullableTimestamp;
  };
}
