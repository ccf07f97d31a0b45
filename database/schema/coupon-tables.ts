import type { Generated, GeneratedAlways } from 'kysely';
import type { Edited, NullableTimestamp, Timestamp } from '#database/schema/column-types.ts';

/** Tables of stores' coupons. */
export interface CouponTables {
  /** Codes that a store takes. */
  coupons: Edited & {
    merchant_id: number;
    code: string;
    title: string;
    terms: Generated<string>;
    /** Null: the store's website. */
    url: string | null;
    starts_at: NullableTimestamp;
    ends_at: NullableTimestamp;
    /** The imported list that it stands in; empty if staff added it. */
    list: Generated<string>;
    /** When it was assigned to watched searches. */
    told_at: NullableTimestamp;
  };
  /** Visitors' reports on a coupon, once a day each. */
  coupon_reports: {
    id: GeneratedAlways<number>;
    coupon_id: number;
    works: boolean;
    user_id: string | null;
    /** A hash of the visitor's address; its salt is deleted later. */
    visitor: string;
    reported_on: Generated<string>;
    reported_at: Timestamp;
  };
  coupon_clicks: { coupon_id: number; day: string; count: number };
}
