import { type LoaderFunctionArgs, redirect } from 'react-router';
import {
  countNewsletterLink,
  findNewsletterLink,
} from '#app/features/clicks/newsletter-link-queries.server.ts';
import { withSource } from '#app/features/earnings/click-source.ts';
import { withSubId } from '#app/features/earnings/way-out.server.ts';
import { isProgram, isVisit } from '#app/platform/is-visit.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { safeUrl } from '#app/platform/safe-url.ts';

const headers = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' };

/**
 * `/out/newsletter/3/2` redirects to the second link of the third newsletter. The target comes from
 * the newsletter alone, never from the request. Clicks are counted without any data of the person.
 * If the link no longer exists, it redirects to the homepage.
 */
export async function loader({ params, request, context }: LoaderFunctionArgs): Promise<Response> {
  const { db, log, now } = appServices(context);
  const [newsletterId, position] = [parseRowId(params.newsletter), parseRowId(params.link)];
  if (!newsletterId || !position || position > 9_999) return redirect('/', { headers });
  const place = { newsletterId, position };
  const href = await findNewsletterLink(db, place);
  const target = href === null ? '/' : /^\/(?!\/)/.test(href) ? href : (safeUrl(href) ?? '/');
  const isPerson = isVisit(request) && !isProgram(request.headers.get('user-agent'));
  if (href !== null && isPerson) {
    const variant = new URL(request.url).searchParams.get('s');
    const tested = variant === 'a' || variant === 'b' ? variant : null;
    await countNewsletterLink(db, place, tested).catch((error: unknown) =>
      log.error({ err: error }, 'a click in a newsletter was not counted'),
    );
  }
  if (target.startsWith('/')) {
    return redirect(withSource(target, `newsletter-${newsletterId}-${position}`), { headers });
  }
  const named = await withSubId(db, target, {
    target: { kind: 'link' },
    network: 'auto',
    source: { channel: 'newsletter', newsletterId, link: position },
    at: now(),
  });
  return redirect(named, { headers });
}
