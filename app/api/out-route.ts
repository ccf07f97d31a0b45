import { type LoaderFunctionArgs, redirect } from 'react-router';
import { outboundUrl } from '#app/features/clicks/affiliate-url.ts';
import { clickCounter } from '#app/features/clicks/click-counters.server.ts';
import { findOutDeal } from '#app/features/clicks/click-queries.server.ts';
import { sourceOf, withSubId } from '#app/features/earnings/way-out.server.ts';
import { isVisit } from '#app/platform/is-visit.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { safeUrl } from '#app/platform/safe-url.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';

const headers = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' };

/**
 * `/out/12` redirects to the store with an uncacheable 302. The target comes from the deal alone.
 * The request supplies only the source that a sub-id names. An expired deal redirects to its own
 * page.
 */
export async function loader({ params, request, context }: LoaderFunctionArgs): Promise<Response> {
  const { db, env, log, now } = appServices(context);
  const id = parseRowId(params.id);
  const deal = id === null ? null : await findOutDeal(db, id);
  if (!deal) return notFound();
  if (deal.is_expired) return redirect(`/deals/${deal.slug}`, { headers });

  const target = safeUrl(outboundUrl(deal.deal_url, deal, deal.id)) ?? safeUrl(deal.deal_url);
  if (target === null) {
    log.warn({ dealId: deal.id }, 'the link of a deal is not an http(s) address');
    return redirect(`/deals/${deal.slug}`, { headers });
  }
  if (isVisit(request)) {
    const counter = clickCounter(db, (error) => log.error({ err: error }, 'clicks not written'));
    const { address } = requestFacts(context);
    counter.count({ address, userAgent: request.headers.get('user-agent') }, deal.id, now());
  }
  const named = await withSubId(db, target, {
    target: { kind: 'deal', id: deal.id },
    network: deal.sub_id_network,
    source: sourceOf(request, env.origin),
    at: now(),
  });
  return redirect(named, { headers });
}

function notFound(): Response {
  const page =
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    '<title>Deal Not Found</title><h1>Deal Not Found</h1>' +
    '<p>The deal you&#39;re looking for doesn&#39;t exist or has been removed.</p>' +
    '<p><a href="/deals">Browse All Deals</a></p></html>';
  return new Response(page, {
    status: 404,
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
  });
}
