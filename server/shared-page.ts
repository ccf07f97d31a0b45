import type { IncomingHttpHeaders } from 'node:http';
import type { Rendered } from '#server/page-cache.ts';
import { strictPolicy, visitorsPageFlag } from '#server/security-headers.ts';
import { sharedCacheHeaderNames, sharedCacheHeaders } from '#server/scale-out/scale-out.ts';
import type { SiteAnswer } from '#server/site-app.ts';
import { storeAnswer, type StoredAnswer } from '#server/stored-answer.ts';
import type { Site } from '#server/visit.ts';

/** Cookies that make a request personal, so that the shared cache never serves it. */
export const sessionCookieNames = ['__Host-session', 'session'] as const;

/** A cookie set for a few seconds after a write, so that the user reads from the primary. */
export const wroteCookie = 'wrote';
export const wroteForSeconds = 5;

/** Returns whether this request is anonymous, so that it may get a shared response. */
export function mayShare(method: string, headers: IncomingHttpHeaders): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return headers.authorization === undefined && !hasSessionCookie(headers.cookie);
}

function hasSessionCookie(cookie: string | undefined): boolean {
  return hasCookie(cookie, sessionCookieNames);
}

function hasCookie(cookie: string | undefined, names: readonly string[]): boolean {
  if (cookie === undefined) return false;
  return cookie.split(';').some((pair) => names.some((name) => pair.trim().startsWith(`${name}=`)));
}

/**
 * Returns whether a standby may serve this request: an anonymous read by a visitor without recent
 * writes.
 */
export function mayUseStandby(method: string, headers: IncomingHttpHeaders): boolean {
  return mayShare(method, headers) && !hasCookie(headers.cookie, [wroteCookie]);
}

// Statuses that depend only on the URL. Such a response is never cached, but all who wait for the
// same render may share it.
const shareableOnce = new Set([301, 308, 404, 410]);
/** bytes per tag of a cached page, for its text and its entry in the cache's index */
const bytesOfTag = 100;
const ownHeaders = new Set<string>([
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'etag',
  'keep-alive',
  'transfer-encoding',
  'vary',
  visitorsPageFlag,
  ...sharedCacheHeaderNames,
]);

/**
 * Turns a render into a response for all visitors, or null if it must not be shared. Only visitor
 * pages are cached. Their policy allows their own inline scripts and blocks all others.
 */
export async function makeSharedPage(
  { response, policy }: SiteAnswer,
  site: Pick<Site, 'base' | 'reporting' | 'visitorsPolicy' | 'hasSharedCaches'>,
): Promise<Rendered<StoredAnswer> | null> {
  const { base, reporting, visitorsPolicy, hasSharedCaches } = site;
  const isPage = response.status === 200 && policy !== null;
  if (response.headers.has('set-cookie') || !(isPage || shareableOnce.has(response.status))) {
    await response.body?.cancel();
    return null;
  }
  const type = response.headers.get('content-type') ?? 'text/plain; charset=utf-8';
  const isHtml = type.startsWith('text/html');
  const page = await storeAnswer({
    status: response.status,
    body: Buffer.from(await response.arrayBuffer()),
    type,
    headers: {
      ...base,
      'content-security-policy': isHtml ? visitorsPolicy : strictPolicy,
      ...(isHtml && reporting.headers),
      'cache-control': isPage ? 'public, max-age=0, must-revalidate' : 'private, no-store',
      ...(isPage && hasSharedCaches && sharedCacheHeaders(policy)),
      vary: 'accept-encoding, cookie',
      ...Object.fromEntries([...response.headers].filter(([name]) => !ownHeaders.has(name))),
    },
    brotliQuality: 5,
  });
  page.bytes += (policy?.tags.length ?? 0) * bytesOfTag;
  return { page, policy: isPage ? policy : null };
}
