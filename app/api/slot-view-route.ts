import type { LoaderFunctionArgs } from 'react-router';
import { clickCounter } from '#app/features/clicks/click-counters.server.ts';
import { addSlotViews } from '#app/features/slots/slot-queries.server.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { isVisit } from '#app/platform/is-visit.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';

const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
/** seconds; the counter ignores repeated views for as long */
const cachedInBrowser = 1_800;

/**
 * Counts a view of an ad or announcement on a cached page with a transparent pixel. A visitor
 * counts once in half an hour, and bots do not.
 */
export function loader({ params, request, context }: LoaderFunctionArgs): Response {
  const { db, log, now } = appServices(context);
  const id = parseRowId(params.id);
  if (id !== null && isVisit(request)) {
    const onError = (error: unknown) => log.error({ err: error }, 'views of slots not written');
    const { address } = requestFacts(context);
    const viewer = { address, userAgent: request.headers.get('user-agent') };
    clickCounter(db, onError, addSlotViews).count(viewer, id, now());
  }
  return new Response(pixel, {
    headers: {
      'content-type': 'image/gif',
      'cache-control': `private, max-age=${cachedInBrowser}`,
      'x-robots-tag': 'noindex, nofollow',
    },
  });
}
