// What a browser asks for ahead of a visit that may never come (`Sec-Purpose: prefetch`).
import { retryAfter } from '#app/platform/rate-limit.server.ts';
import { retrySoon, send } from '#server/plain-answers.ts';
import { type HeaderSet, strictPolicy } from '#server/security-headers.ts';
import type { Visit } from '#server/visit.ts';

/** Beside the pages that visitors share, those that opening does nothing to. Every other address may have an effect. */
const otherPages =
  /^\/(?:favorites|price-alerts|profile|sign-in|sign-up|newsletter|blog\/tags\/[^/]+)$/;

/** Says true where it shall not be made: cheaply, and the browser asks again when its reader goes there. */
export function refusePrefetch(visit: Visit): boolean {
  const { site, request, pathname, address } = visit;
  const isPage = site.targets.keyOf(request.url ?? '') !== null || otherPages.test(pathname);
  if (!isPage || site.gate?.isOpen === false) return sendNotAhead(visit);
  const admitted = site.prefetches.admit(address);
  if (!admitted.ok) return sendNotAhead(visit, retryAfter(admitted));
  return !site.workload.hasTimeToSpare && sendNotAhead(visit, retrySoon);
}

/** Browsers that are told when to come back fetch nothing of the site ahead until then. */
export function sendNotAhead(visit: Visit, headers: HeaderSet = {}): true {
  const more = { 'content-security-policy': strictPolicy, ...headers };
  return send(visit, 503, 'text/plain; charset=utf-8', 'Not fetched ahead\n', more);
}
