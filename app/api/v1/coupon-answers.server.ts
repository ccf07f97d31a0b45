import type { z } from 'zod';
import { countCoupons, listCoupons } from '#app/features/coupons/coupon-queries.server.ts';
import { couponsHref, type ListedCoupon } from '#app/features/coupons/describe-coupon.ts';
import { apiOperations } from '#app/features/public-api/api-operations.ts';
import type { coupon as couponSchema } from '#app/features/public-api/api-schemas.ts';
import { pickFields } from '#app/platform/pick-fields.ts';
import { findIdBySlug, slugLookups } from '../slug-lookups.server.ts';
import { apiAnswer, beyondLast } from './answer-api.server.ts';

const couponsPerPage = 24;

export const couponsAnswer = apiAnswer(
  apiOperations.listCoupons,
  async ({ services: { db }, site, now, query }) => {
    const store = await findIdBySlug(db, slugLookups.merchant, query.merchant);
    if (store === null) {
      const errors = [{ parameter: 'merchant', detail: slugLookups.merchant.unknown }];
      return { ok: false, status: 422, errors };
    }
    const scope = { now, merchantIds: store === undefined ? undefined : [store] };
    const offset = (query.page - 1) * couponsPerPage;
    const [coupons, { total }] = await Promise.all([
      listCoupons(db, scope, { limit: couponsPerPage, offset }),
      countCoupons(db, scope),
    ]);
    const count = Math.max(1, Math.ceil(total / couponsPerPage));
    if (query.page > count) return beyondLast(query.page, count);
    const data = coupons.map((coupon) => encodeCoupon(coupon, site.origin));
    const page = { number: query.page, count, size: couponsPerPage, total };
    return { ok: true, answer: { data, page: { ...page, is_total_capped: false } } };
  },
);

function encodeCoupon(coupon: ListedCoupon, origin: string): z.output<typeof couponSchema> {
  return {
    ...pickFields(coupon, ['id', 'code', 'title', 'terms', 'starts_at', 'ends_at', 'merchant']),
    url: origin + couponsHref(coupon.merchant.slug),
    out_url: coupon.hasLink ? `${origin}/out/coupon/${coupon.id}` : null,
    worked: { count: coupon.works, last_at: coupon.worked_at },
    failed: { count: coupon.fails, last_at: coupon.failed_at },
  };
}
