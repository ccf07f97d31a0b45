import { data, redirect } from 'react-router';
import type { Route } from './+types/report-page';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { findDealBySlug, findDealRedirect } from '#app/features/deals/deal-queries.server.ts';
import { findProductAddress } from '#app/features/products/product-queries.server.ts';
import type { ReportAbout } from '#app/features/reports/describe-reports.ts';
import { reportDeal } from '#app/features/reports/report-deal.server.ts';
import { type ReportForm, reportTitles } from '#app/features/reports/report-form.tsx';
import { reportMessages } from '#app/features/reports/report-messages.ts';
import { Island } from '#app/islands/island.tsx';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { answerNotFound } from '#app/storefront/not-found/answer-not-found.server.ts';
import { DealNotFound } from '#app/storefront/deals/deal-not-found.tsx';
import { Link } from '#app/ui/link.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import { answerReport } from './answer-report.server.ts';

/** The target of the links in `DealReports`, for browsers without JavaScript. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { db } = appServices(context);
  const { search, searchParams } = new URL(request.url);
  const deal = /\p{Cc}/u.test(params.slug) ? null : await findDealBySlug(db, params.slug);
  if (!deal) {
    const slug = /\p{Cc}/u.test(params.slug) ? null : await findDealRedirect(db, params.slug);
    if (slug !== null) throw redirect(`/deals/${slug}/report${search}`, 301);
    return await answerNotFound(context, request);
  }
  const { slug, title, is_expired, coupon_code: code } = deal;
  const asked = searchParams.get('about');
  const product = asked === 'product' ? await findProductAddress(db, deal.id) : null;
  const needsCheck = currentUser(context)?.emailVerified !== true;
  const shown = { slug, is_expired, code, needsCheck };
  if (product) {
    const about: ReportAbout = 'product';
    return data({ ...shown, about, title: `${title} at ${deal.merchant.name}`, product });
  }
  const about: ReportAbout = asked === 'code' && code !== null ? 'code' : 'over';
  return data({ ...shown, about, title, product });
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const services = appServices(context);
  const { address } = requestFacts(context);
  const user = currentUser(context);
  const form = await readFormBody(request);
  const deal = /\p{Cc}/u.test(params.slug) ? null : await findDealBySlug(services.db, params.slug);
  return answerReport(
    deal
      ? await reportDeal(services, deal, form, { user, address })
      : { ok: false, reason: 'gone', message: reportMessages.gone },
    user,
  );
}

export const headers = keepRetryAfter;

export function meta({ matches, loaderData, params }: Route.MetaArgs) {
  const shown = loaderData && 'slug' in loaderData ? loaderData : null;
  return pageMeta({
    site: matches[0].loaderData?.site,
    path: `/deals/${params.slug}/report`,
    title: shown ? `${reportTitles[shown.about]} ${shown.title}` : 'Deal Not Found',
    description:
      'Tell us whether this deal and its code still work, and is what it is compared with.',
    isIndexed: false,
  });
}

export default function ReportPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!('slug' in loaderData)) return <DealNotFound nearest={loaderData.nearest} />;
  const { slug, title, is_expired, product, ...form } = loaderData;
  const back =
    product === null ? (
      <Link to={`/deals/${slug}`}>Back to the deal</Link>
    ) : (
      <Link to={`/products/${product}`}>Back to the product</Link>
    );
  if (is_expired) {
    return (
      <NarrowPage title={reportMessages.overAlready} intro={title}>
        <p>{back}</p>
      </NarrowPage>
    );
  }
  return (
    <NarrowPage title={reportTitles[form.about]} intro={title}>
      <Island<typeof ReportForm>
        name="report-form"
        props={{
          ...form,
          action: `/deals/${slug}/report?about=${form.about}`,
          answer: actionData ?? null,
        }}
      />
      <p>{back}</p>
    </NarrowPage>
  );
}
