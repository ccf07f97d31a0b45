import type { Generated, GeneratedAlways } from 'kysely';
import type { Edited, NullableTimestamp, Timestamp } from '#database/schema/column-types.ts';

/** Tables for stores' coupons. */
export interface CouponTables {
  /** Coupon codes that a store accepts. */
  coupons: Edited & {
    merchant_id: number;
    code: string;
    title: string;
    terms: Generated<string>;
    /** null: the coupon links to the store's website. */
    url: string | null;
    starts_at: NullableTimestamp;
    ends_at: NullableTimestamp;
    /** The imported list that contains the coupon. Empty if staff added the coupon. */
    list: Generated<string>;
    /** The time when the coupon was assigned to watched searches. */
    told_at: NullableTimestamp;
  };
  /** Visitors' reports on coupons, at most one per person, coupon and day. */
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
