import { type LoaderFunctionArgs, redirect } from 'react-router';
import { clickCounter } from '#app/features/clicks/click-counters.server.ts';
import { withSource } from '#app/features/earnings/click-source.ts';
import { withSubId } from '#app/features/earnings/way-out.server.ts';
import { addSlotClicks, findSlotTarget } from '#app/features/slots/slot-queries.server.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { isVisit } from '#app/platform/is-visit.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';

const headers = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' };

/**
 * `/out/slot/12` redirects to the target of an ad or announcement, and counts the click. The target
 * comes from the slot alone. One that has ended redirects to the home page.
 */
export async function loader({ params, request, context }: LoaderFunctionArgs): Promise<Response> {
  const { db, log, now } = appServices(context);
  const id = parseRowId(params.id) ?? 0;
  const target = await findSlotTarget(db, id, now());
  if (target === null) return redirect('/', { headers });
  if (isVisit(request)) {
    const onError = (error: unknown) => log.error({ err: error }, 'clicks on slots not written');
    const { address } = requestFacts(context);
    const follower = { address, userAgent: request.headers.get('user-agent') };
    clickCounter(db, onError, addSlotClicks).count(follower, id, now());
  }
  if (target.startsWith('/')) return redirect(withSource(target, `slot-${id}`), { headers });
  const named = await withSubId(db, target, {
    target: { kind: 'link' },
    network: 'auto',
    source: { channel: 'site', newsletterId: null, slotId: id },
    at: now(),
  });
  return redirect(named, { headers });
}
