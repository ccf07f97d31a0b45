import type { AppServices } from '#app/platform/app-context.server.ts';
import {
  countCoupons,
  type CouponScope,
  findNamedStores,
  listCoupons,
} from './coupon-queries.server.ts';
import { type ListedCoupon, withoutCouponWords } from './describe-coupon.ts';

/** The newest coupons, for a page that mainly lists deals. */
export interface SomeCoupons {
  coupons: ListedCoupon[];
  total: number;
  /** The time at which the next coupon begins or ends, after which the page is outdated. */
  changesAt: Date | null;
}

const noCoupons: SomeCoupons = { coupons: [], total: 0, changesAt: null };

/** Returns the newest live coupons of a store. */
export async function readStoreCoupons(
  { db, now }: Pick<AppServices, 'db' | 'now'>,
  merchantId: number,
  limit: number,
): Promise<SomeCoupons> {
  return readSome({ db, now }, { merchantIds: [merchantId] }, limit);
}

const mostOfDeal = 5;

/**
 * Returns the coupons of a deal's store, except the deal's own code, which the page shows
 * elsewhere. An expired deal has none.
 */
export async function readDealCoupons(
  services: Pick<AppServices, 'db' | 'now'>,
  deal: { merchant: { id: number }; coupon_code: string | null; is_expired: boolean },
): Promise<SomeCoupons> {
  if (deal.is_expired) return noCoupons;
  const some = await readSome(services, { merchantIds: [deal.merchant.id] }, mostOfDeal + 1);
  const own = deal.coupon_code?.toUpperCase();
  const others = some.coupons.filter(({ code }) => code.toUpperCase() !== own);
  const total = some.total - (some.coupons.length - others.length);
  return { ...some, coupons: others.slice(0, mostOfDeal), total };
}

const mostFound = 6;

/**
 * Returns the coupons of the stores that a search or a filtered list names. If a search asks for
 * coupons without naming a store, returns coupons that contain its remaining words.
 */
export async function readAskedCoupons(
  services: Pick<AppServices, 'db' | 'now'>,
  {
    text,
    merchantId,
    isForCoupons,
  }: { text: string; merchantId: number | undefined; isForCoupons: boolean },
): Promise<SomeCoupons> {
  const named = merchantId === undefined ? await findNamedStores(services.db, text) : [merchantId];
  if (named.length > 0) return readSome(services, { merchantIds: named }, mostFound);
  const words = withoutCouponWords(text);
  return isForCoupons || words !== text ? readSome(services, { words }, mostFound) : noCoupons;
}

async function readSome(
  { db, now }: Pick<AppServices, 'db' | 'now'>,
  asked: Omit<CouponScope, 'now'>,
  limit: number,
): Promise<SomeCoupons> {
  const scope = { ...asked, now: now() };
  const [coupons, counted] = await Promise.all([
    listCoupons(db, scope, { limit }),
    countCoupons(db, scope),
  ]);
  return { coupons, ...counted };
}

/** Returns the earlier of two times at which a page becomes outdated. */
export function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
