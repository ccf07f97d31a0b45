import type { IncomingHttpHeaders } from 'node:http';
import type { Rendered } from '#server/page-cache.ts';
import { hashSource, type HeaderSet, pagePolicy, strictPolicy } from '#server/security-headers.ts';
import type { SiteAnswer } from '#server/site-app.ts';
import { storeAnswer, type StoredAnswer } from '#server/stored-answer.ts';
import type { Site } from '#server/visit.ts';

/** A request that carries one of these is somebody's own: it never meets the shared cache. */
export const sessionCookieNames = ['__Host-session', 'session'] as const;

/** Whether this request is nobody's in particular, so that an answer for everybody will do. */
export function mayShare(method: string, headers: IncomingHttpHeaders): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return headers.authorization === undefined && !hasSessionCookie(headers.cookie);
}

function hasSessionCookie(cookie = ''): boolean {
  return cookie
    .split(';')
    .some((pair) => sessionCookieNames.some((name) => pair.trim().startsWith(`${name}=`)));
}

// They depend on the address alone, so whoever waits for the same render may have them; they are never kept.
const shareableOnce = new Set([301, 308, 404, 410]);
const ownHeaders = new Set([
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
]);

/**
 * An answer for all visitors, out of a render without any; null when it must not be shared. `nonce` marked the page's own
 * scripts: the policy allows only those, by hash, and the mark is taken out. Any other script in the page stays dead.
 */
export async function makeSharedPage(
  { response, policy }: SiteAnswer,
  nonce: string,
  { base, outsideHosts, reporting }: Pick<Site, 'base' | 'outsideHosts' | 'reporting'>,
): Promise<Rendered<StoredAnswer> | null> {
  const isPage = response.status === 200 && policy !== null;
  if (response.headers.has('set-cookie') || !(isPage || shareableOnce.has(response.status))) {
    await response.body?.cancel();
    return null;
  }
  const type = response.headers.get('content-type') ?? 'text/plain; charset=utf-8';
  let body = Buffer.from(await response.arrayBuffer());
  let contentPolicy = strictPolicy;
  let reportingHeaders: HeaderSet = {};
  if (type.startsWith('text/html')) {
    const html = body.toString('utf8');
    contentPolicy =
      pagePolicy(ownScripts(html, nonce).map(hashSource), [], outsideHosts) + reporting.ending;
    reportingHeaders = reporting.headers;
    body = Buffer.from(html.replaceAll(` nonce="${nonce}"`, ''));
  }
  const page = await storeAnswer({
    status: response.status,
    body,
    type,
    headers: {
      ...base,
      'content-security-policy': contentPolicy,
      ...reportingHeaders,
      'cache-control': isPage ? 'public, max-age=0, must-revalidate' : 'private, no-store',
      vary: 'accept-encoding, cookie',
      ...Object.fromEntries([...response.headers].filter(([name]) => !ownHeaders.has(name))),
    },
    brotliQuality: 5,
  });
  return { page, keep: isPage ? policy : null };
}

function ownScripts(html: string, nonce: string): string[] {
  const scripts = new Set<string>();
  for (const [, attributes = '', text = ''] of html.matchAll(
    /<script\b([^>]*)>([\s\S]*?)<\/script>/g,
  )) {
    if (attributes.includes(` nonce="${nonce}"`) && !/\ssrc=/.test(attributes)) scripts.add(text);
  }
  return [...scripts];
}
