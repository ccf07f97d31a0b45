import { type LoaderFunctionArgs, redirect } from 'react-router';
import { outboundUrl } from '#app/features/clicks/affiliate-url.ts';
import { clickCounter } from '#app/features/clicks/click-counters.server.ts';
import { addCouponClicks, findOutCoupon } from '#app/features/coupons/coupon-queries.server.ts';
import { sourceOf, withSubId } from '#app/features/earnings/way-out.server.ts';
import { couponsHref } from '#app/features/coupons/describe-coupon.ts';
import { isVisit } from '#app/platform/is-visit.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { safeUrl } from '#app/platform/safe-url.ts';

const headers = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' };

/**
 * `/out/coupon/12` redirects to the store, as `/out/12` does for a deal. The target comes from the
 * coupon alone. One that has ended redirects to the store's other coupons.
 */
export async function loader({ params, request, context }: LoaderFunctionArgs): Promise<Response> {
  const { db, env, log, now } = appServices(context);
  const coupon = await findOutCoupon(db, parseRowId(params.id) ?? 0, now());
  if (!coupon) return redirect('/coupons', { headers });
  const { id, url, isLive, merchant_slug } = coupon;
  const target = url && (safeUrl(outboundUrl(url, coupon, `coupon-${id}`)) ?? safeUrl(url));
  if (!isLive || !target) return redirect(couponsHref(merchant_slug), { headers });
  if (isVisit(request)) {
    const onError = (error: unknown) => log.error({ err: error }, 'clicks on coupons not written');
    const { address } = requestFacts(context);
    const follower = { address, userAgent: request.headers.get('user-agent') };
    clickCounter(db, onError, addCouponClicks).count(follower, id, now());
  }
  const named = await withSubId(db, target, {
    target: { kind: 'coupon', id },
    network: coupon.sub_id_network,
    source: sourceOf(request, env.origin),
    at: now(),
  });
  return redirect(named, { headers });
}
