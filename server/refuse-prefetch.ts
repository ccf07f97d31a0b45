// Prefetches: requests that a browser sends before a visit that may never happen (`Sec-Purpose:
// prefetch`).
import { retryAfter } from '#app/platform/rate-limit.server.ts';
import { retrySoon, send } from '#server/plain-answers.ts';
import { type HeaderSet, strictPolicy } from '#server/security-headers.ts';
import type { Visit } from '#server/visit.ts';

/** Unshared pages without side effects. Any other unshared page may have some. */
const otherPages =
  /^\/(?:favorites|for-you|price-alerts|profile|sign-in|sign-up|newsletter|blog\/tags\/[^/]+)$/;

/**
 * Rejects a prefetch and returns true if the page must not be rendered. Rejections are cheap, and
 * the browser requests the page again on the actual visit.
 */
export function refusePrefetch(visit: Visit): boolean {
  const { site, request, pathname, address } = visit;
  const isPage = site.targets.keyOf(request.url ?? '') !== null || otherPages.test(pathname);
  if (!isPage || site.gate?.isOpen === false) return sendNotAhead(visit);
  const admitted = site.prefetches.admit(address);
  if (!admitted.ok) return sendNotAhead(visit, retryAfter(admitted));
  return !site.workload.hasTimeToSpare && sendNotAhead(visit, retrySoon);
}

/**
 * Rejects a prefetch, by default without Retry-After, which would stop the browser from prefetching
 * anything on the site until then.
 */
export function sendNotAhead(visit: Visit, headers: HeaderSet = {}): true {
  const more = { 'content-security-policy': strictPolicy, ...headers };
  return send(visit, 503, 'text/plain; charset=utf-8', 'Not prefetched\n', more);
}
