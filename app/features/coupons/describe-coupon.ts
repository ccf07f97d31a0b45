import { dealExpiry } from '#app/features/deals/deal-expiry.ts';
import { describeCode, type Tally } from '#app/features/reports/describe-reports.ts';

/** A live coupon as lists show it. */
export interface ListedCoupon {
  id: number;
  code: string;
  title: string;
  terms: string;
  starts_at: Date | null;
  ends_at: Date | null;
  /** Whether `/out/coupon/ID` has a target. */
  hasLink: boolean;
  merchant: { id: number; name: string; slug: string };
  works: number;
  fails: number;
  worked_at: Date | null;
  failed_at: Date | null;
}

/** Returns a text such as `Ends in 2 days · Nov 30, 2026`; empty without an end. */
export function describeEnd({ ends_at }: ListedCoupon, now: Date, timeZone: string): string {
  const expiry = dealExpiry({ expires_at: ends_at, is_expired: false }, now, timeZone);
  return expiry ? [expiry.text, expiry.date].filter(Boolean).join(' · ') : '';
}

/** Returns a text such as `Code worked for 4, last 2 hours ago`; empty without reports. */
export function describeUse(coupon: ListedCoupon, now: Date): string {
  const { works, fails, worked_at, failed_at } = coupon;
  return describeCode({ works: tallyOf(works, worked_at), fails: tallyOf(fails, failed_at) }, now);
}

function tallyOf(count: number, lastAt: Date | null): Tally | null {
  return lastAt && { count, lastAt };
}

const couponWords = /\b(?:coupons?|promo(?:tion(?:al)?)? codes?|discount codes?|vouchers?)\b/gi;

/** Returns a search without the words that ask for coupons. */
export function withoutCouponWords(text: string): string {
  return text.replace(couponWords, ' ').replace(/\s+/g, ' ').trim();
}

/** Returns the URL of a list of coupons: of one store, or of all. */
export function couponsHref(merchant: string | null, page = 1): string {
  const query = new URLSearchParams();
  if (merchant !== null) query.set('merchant', merchant);
  if (page > 1) query.set('page', String(page));
  return query.size > 0 ? `/coupons?${query}` : '/coupons';
}
