import { data } from 'react-router';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { couponMessages } from '#app/features/coupons/coupon-messages.ts';
import { couponsHref } from '#app/features/coupons/describe-coupon.ts';
import { findReportedCoupon, reportCoupon } from '#app/features/coupons/report-coupon.server.ts';
import { type ReportForm, reportTitles } from '#app/features/reports/report-form.tsx';
import { Island } from '#app/islands/island.tsx';
import { type AppServices, appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { answerReport } from '#app/storefront/reports/answer-report.server.ts';
import { PrimaryLink } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import type { Route } from './+types/report-coupon-page';

/** The target of the links in `CouponList`, for browsers without JavaScript. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const coupon = await findAsked(appServices(context), params.id);
  if (!coupon) return data({ coupon: null, needsCheck: false }, { status: 404 });
  return data({ coupon, needsCheck: currentUser(context)?.emailVerified !== true });
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const services = appServices(context);
  const { address } = requestFacts(context);
  const user = currentUser(context);
  const form = await readFormBody(request);
  const coupon = await findAsked(services, params.id);
  return answerReport(
    coupon
      ? await reportCoupon(services, coupon, form, { user, address })
      : { ok: false, reason: 'gone', message: couponMessages.gone },
    user,
  );
}

function findAsked({ db, now }: AppServices, id: string) {
  return findReportedCoupon(db, parseRowId(id) ?? 0, now());
}

export const headers = keepRetryAfter;

export function meta({ matches, loaderData, params }: Route.MetaArgs) {
  const coupon = loaderData?.coupon;
  return pageMeta({
    site: matches[0].loaderData?.site,
    path: `/coupons/${params.id}/report`,
    title: coupon ? `${reportTitles.code} ${coupon.code}` : 'Coupon Not Found',
    description: 'Tell other visitors whether this code still works.',
    isIndexed: false,
  });
}

export default function ReportCouponPage({ loaderData, actionData }: Route.ComponentProps) {
  const { coupon, needsCheck } = loaderData;
  if (!coupon) {
    return (
      <MessagePanel
        icon="search"
        level={1}
        title="Coupon Not Found"
        actions={<PrimaryLink to="/coupons">Browse all coupons</PrimaryLink>}
      >
        <p>{couponMessages.gone}</p>
      </MessagePanel>
    );
  }
  const { id, code, title, merchant, merchant_slug: slug, isLive } = coupon;
  const back = <Link to={couponsHref(slug)}>Back to the coupons of {merchant}</Link>;
  if (!isLive) {
    return (
      <NarrowPage title={couponMessages.over} intro={title}>
        <p>{back}</p>
      </NarrowPage>
    );
  }
  return (
    <NarrowPage title={reportTitles.code} intro={`${title} at ${merchant}`}>
      <Island<typeof ReportForm>
        name="report-form"
        props={{
          action: `/coupons/${id}/report`,
          about: 'code',
          code,
          needsCheck,
          answer: actionData ?? null,
        }}
      />
      <p>{back}</p>
    </NarrowPage>
  );
}
