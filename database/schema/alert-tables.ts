import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { DealCondition } from '#database/schema/catalog-tables.ts';
import type {
  Dated,
  Json,
  Leased,
  NullableTimestamp,
  Timestamp,
} from '#database/schema/column-types.ts';

/** Email and the owner's channels, email only, or channels only. */
export type GoesTo = 'both' | 'mail' | 'channels';

type Kind = 'target' | 'any_drop' | 'percent_drop' | 'new_low_30' | 'new_low_90' | 'back_in_stock';

/** Tables for users' saved deals and alerts, and for messages about them. */
export interface AlertTables {
  user_favorites: {
    id: Generated<number>;
    user_id: string;
    deal_id: number;
    /** The expiry date for which the last reminder was sent. */
    reminded_for: NullableTimestamp;
    /**
     * The price in minor units when the deal was saved. null if unavailable, or if the store
     * forbids price history.
     */
    kept_price: number | null;
    /** The currency of `kept_price`. */
    currency: Generated<string>;
    created_at: Timestamp;
  };
  /** A store, category or brand that a user follows. */
  follows: {
    id: Generated<number>;
    user_id: string;
    merchant_id: number | null;
    category_id: number | null;
    /** The folded name, for comparison. */
    brand: string | null;
    /** The brand as spelled by a deal. */
    brand_name: string | null;
    created_at: Timestamp;
  };
  /** Named lists of favorites. A deleted list can be restored for an hour. */
  favorite_lists: {
    id: GeneratedAlways<number>;
    user_id: string;
    name: string;
    /** The hash of the secret link's token, used to find its page. null: not shared. */
    link_hash: string | null;
    /** The encrypted token, so that the owner can see the link again. */
    sealed_link: Buffer | null;
    deleted_at: NullableTimestamp;
    created_at: Timestamp;
  };
  favorite_list_items: { list_id: number; user_id: string; deal_id: number; created_at: Timestamp };
  /**
   * Favorites removed within the last hour, as rows of `user_favorites` and `favorite_list_items`.
   */
  removed_favorites: {
    user_id: string;
    deal_id: number;
    favorite: Json<object>;
    items: Json<object[]>;
    removed_at: Timestamp;
  };
  /** Visitors' reports on a deal, at most one of each kind. */
  deal_reports: {
    id: GeneratedAlways<number>;
    deal_id: number;
    about: 'over' | 'code' | 'product';
    code_works: boolean | null;
    coupon_code: string | null;
    user_id: string | null;
    /**
     * A salted hash of the visitor's IP address. Deleting the salt later makes the hash anonymous.
     */
    visitor: string;
    reported_at: Timestamp;
  };
  price_alerts: Dated & {
    id: Generated<number>;
    /** The owner: a user or a guest subscriber. */
    user_id: string | null;
    watcher_id: number | null;
    deal_id: number;
    kind: Generated<Kind>;
    target_price: number | null;
    target_percent: number | null;
    base_price: number | null;
    /**
     * The currency of the alert's prices. The alert is paused while its deal has another currency.
     */
    currency: Generated<string>;
    /** The channels through which the owner is notified. */
    goes_to: Generated<GoesTo>;
    is_active: Generated<boolean>;
    /** Whether the alert stays armed after firing, to fire again at the next drop after a rise. */
    repeats: Generated<boolean>;
    fired_at: NullableTimestamp;
    fired_price: number | null;
    last_mailed_at: NullableTimestamp;
    last_mailed_price: number | null;
    seen_check: number | null;
  };
  /** Changes of deals whose alerts must still be evaluated. */
  alert_checks: {
    id: GeneratedAlways<number>;
    deal_id: number;
    at: Timestamp;
    currency: string | null;
    old_price: number | null;
    new_price: number | null;
    is_back_in_stock: Generated<boolean>;
    is_judged: Generated<boolean>;
    is_undo: Generated<boolean>;
    mail_wait: Generated<string>;
    price_log_id: number | null;
    low_30: number | null;
    low_90: number | null;
    voided_lines: number[] | null;
    done_to: Generated<number>;
  };
  price_alert_events: {
    id: GeneratedAlways<number>;
    alert_id: number;
    price_log_id: number | null;
    old_price: number | null;
    new_price: number;
    currency: Generated<string>;
    fired_at: Timestamp;
    mail_state: Generated<'queued' | 'digest' | 'same_drop' | 'unverified' | 'price_rose'>;
    mail_key: string | null;
    user_id: string | null;
    watcher_id: number | null;
    digest_day: ColumnType<string | null, string | null | undefined, string | null>;
  };
  alert_mail_days: {
    user_id: string | null;
    watcher_id: number | null;
    day: string;
    mails: number;
  };
  /** Guest subscribers: addresses with alerts but no account. */
  watchers: { id: Generated<number>; email: string; created_at: Timestamp };
  /** Requests by people without an account, until they confirm them by email. */
  watch_requests: {
    id: Generated<number>;
    email: string;
    deal_id: number | null;
    kind: Kind | null;
    target_price: number | null;
    target_percent: number | null;
    search_address: string | null;
    search_name: string | null;
    cadence: 'at_once' | 'daily' | 'weekly' | null;
    confirmed_at: NullableTimestamp;
    created_at: Timestamp;
  };
  watched_searches: Dated & {
    id: Generated<number>;
    user_id: string | null;
    watcher_id: number | null;
    address: string;
    name: string;
    words: string | null;
    key_word: string | null;
    other_keys: Generated<string[]>;
    category_id: number | null;
    merchant_id: number | null;
    traits: number[] | null;
    min_price: number | null;
    max_price: number | null;
    ends_soon: Generated<boolean>;
    evidence: 'low' | 'fell' | null;
    condition: DealCondition | null;
    off: number | null;
    /** The brand in folded form. */
    brand: string | null;
    cadence: 'at_once' | 'daily' | 'weekly';
    goes_to: Generated<GoesTo>;
    is_active: Generated<boolean>;
    waiting: Generated<number>;
    waiting_deals: Generated<number[]>;
    /** New coupons of the watched store, newest first. */
    waiting_coupons: Generated<number[]>;
    unseen: Generated<number>;
    seen_at: Timestamp;
    mails: Generated<number>;
    next_mail_at: Timestamp;
    /** The filter's id, set by a trigger. null for a watched product. */
    filter_id: GeneratedAlways<string | null>;
    /** The product, if a product is watched at all stores. `max_price` is then the target price. */
    product_id: number | null;
    offer_class: 'new' | 'refurbished' | 'used' | null;
    with_shipping: boolean | null;
    /** The id of the low in the last email. */
    told_low: number | null;
  };
  /** The lowest prices of watched products. The newest row is the current one. */
  product_lows: {
    id: GeneratedAlways<number>;
    product_id: number;
    offer_class: string;
    with_shipping: boolean;
    deal_id: number | null;
    total: number | null;
    former: number | null;
    /** The id of the price log line. */
    line_id: number | null;
    at: Timestamp;
    done_to: number | null;
  };
  /** Watched products whose offers changed, and new watches. */
  product_checks: {
    id: GeneratedAlways<number>;
    product_id: number;
    search_id: number | null;
    due_at: Timestamp;
  };
  /** The conditions of watched searches, shared by all searches with the same conditions. */
  watched_filters: {
    id: string;
    /** The first row of the same filter, if this row has another key. */
    same_as: string | null;
    key: string;
    words: string | null;
    category_id: number | null;
    merchant_id: number | null;
    traits: number[] | null;
    condition: DealCondition | null;
    brand: string | null;
    min_price: number;
    max_price: number;
    off: number | null;
    evidence: 'low' | 'fell' | null;
    ends_soon: boolean;
    used_at: Timestamp;
  };
  /** Deals that match a filter but are not assigned to its searches yet. */
  watched_filter_hits: {
    id: GeneratedAlways<number>;
    filter_id: string;
    deal_ids: number[];
    changed_at: Date[];
    done_to: Generated<number>;
  };
  watched_search_finds: {
    search_id: number;
    deal_id: number;
    found_at: Timestamp;
    mail: number | null;
  };
  watch_marks: {
    id: Generated<boolean>;
    seen_log: number;
    seen_deal: number;
    line_log: number;
    line_deal: number;
    line_xids: string[];
    lot: Generated<number>;
  };
  /** A user's own ntfy, Telegram, Discord, Matrix or Gotify. */
  alert_channels: {
    id: Generated<number>;
    user_id: string;
    kind: string;
    settings: Buffer;
    /** The name shown in lists, without secrets. */
    place: string;
    place_hash: string;
    code_hash: string | null;
    code_until: NullableTimestamp;
    wrong_codes: Generated<number>;
    proved_at: NullableTimestamp;
    stopped_at: NullableTimestamp;
    next_at: Timestamp;
    failing_since: NullableTimestamp;
    created_at: Timestamp;
  };
  /** A due email that is sent to a channel as a message. */
  alert_messages: Leased & {
    id: GeneratedAlways<number>;
    channel_id: number;
    mail_id: number;
    /**
     * Whether the message replaces the email, which is then sent only if all such messages fail.
     */
    is_instead: boolean;
    state: Generated<'queued' | 'sent' | 'failed' | 'cancelled'>;
    trying_since: Timestamp;
    created_at: Timestamp;
  };
  push_subscriptions: {
    id: Generated<number>;
    user_id: string;
    endpoint: string;
    p256dh: string;
    auth: string;
    user_agent: Generated<string>;
    created_at: Timestamp;
  };
  push_outbox: Leased & {
    id: GeneratedAlways<number>;
    key: string;
    subscription_id: number;
    kind: Generated<'price-alert' | 'search-news'>;
    /** The alert's event, for a push about an alert. */
    event_id: number | null;
    /**
     * The watched search, for a push about its finds. `mail_key` identifies the email with the same
     * finds.
     */
    search_id: number | null;
    search_mail: number | null;
    state: Generated<'queued' | 'sent' | 'failed' | 'cancelled'>;
    created_at: Timestamp;
  };
}
