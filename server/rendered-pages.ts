// Sends pages that the application renders: shared ones from the cache, and personal ones.
import { randomBytes } from 'node:crypto';
import type { RequestFacts } from '#app/platform/app-context.server.ts';
import { createHeaders } from '@remix-run/node-fetch-server';
import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';
import { acceptedEncoding, type Encoding, passingEncodings } from '#server/accepted-encoding.ts';
import { compress } from '#server/compress.ts';
import { createRequestId } from '#server/create-request-id.ts';
import type { Rendered } from '#server/page-cache.ts';
import { connectionClose, redirect, refuse, retrySoon } from '#server/plain-answers.ts';
import { readBody } from '#server/read-body.ts';
import { sendNotAhead } from '#server/refuse-prefetch.ts';
import { refuseUnsafeRequest, safeMethods, visibleOrigin } from '#server/request-origin.ts';
import {
  type HeaderSet,
  noncePolicy,
  strictPolicy,
  visitorsPageFlag,
} from '#server/security-headers.ts';
import { sendStream } from '#server/send-stream.ts';
import {
  makeSharedPage,
  mayShare,
  mayUseStandby,
  wroteCookie,
  wroteForSeconds,
} from '#server/shared-page.ts';
import type { SiteAnswer } from '#server/site-app.ts';
import {
  asUncacheable,
  isText,
  sendStoredAnswer,
  type StoredAnswer,
} from '#server/stored-answer.ts';
import { isUpload, uploadBody } from '#server/upload-body.ts';
import type { Site, Visit } from '#server/visit.ts';

/** Sends a shared page to an anonymous visitor. */
export async function sendSharedPage(visit: Visit): Promise<boolean> {
  const { site, request, response, method } = visit;
  const { cache } = site;
  if (!cache || visit.gateNote !== null || !mayShare(method, request.headers)) return false;
  const key = site.targets.keyOf(request.url ?? '');
  if (key === null) return false;
  const isReader = mayUseStandby(method, request.headers);
  const page = await cache.read(key, (wanted) => renderForAll(site, wanted, isReader));
  if (page === null) return false;
  // Visitors who bypass the gate must not cause pages to be cached for others.
  const isForAll = site.gate?.isOpen ?? true;
  const weighAnew = () => cache.weighAnew(key);
  return sendStoredAnswer(isForAll ? page : asUncacheable(page), request, response, weighAnew);
}

/** Renders a page for all visitors. The page depends only on the key, which is a URL. */
export async function renderForAll(
  site: Site,
  key: string,
  isReader = true,
): Promise<Rendered<StoredAnswer> | null> {
  const facts: RequestFacts = {
    id: createRequestId(),
    nonce: '',
    isForCache: true,
    mayUseStandby: isReader,
    address: '',
    gateNote: null,
  };
  const request = new Request(site.services.env.origin + key);
  const rendered = await site.workload.run(() => site.app(request, facts));
  if (isDatabaseUnavailable(rendered.error)) throw rendered.error;
  return makeSharedPage(rendered, site);
}

export async function sendOwnPage(visit: Visit): Promise<boolean> {
  const { site, response, method, pathname, id, address, gateNote } = visit;
  if (site.workload.refuses()) return refuse(visit, 503, retrySoon);
  const origin = visibleOrigin(visit.request.headers.host ?? '', site.services.env);
  const body = safeMethods.has(method) ? null : await takeBody(visit, origin);
  if (body === 'refused') return true;
  const nonce = site.developmentMiddleware ? '' : randomBytes(16).toString('base64url');
  const facts: RequestFacts = {
    id,
    nonce,
    isForCache: false,
    mayUseStandby:
      gateNote === null && site.isPublic(pathname) && mayUseStandby(method, visit.request.headers),
    address,
    gateNote,
  };
  const request = webRequest(visit, origin, body);
  const make = () => site.app(request, facts);
  // An upload may be slow, and would block a rendering slot needlessly.
  const answered = await (isUpload(method, pathname) ? make() : site.workload.run(make));
  const normal = addressOfPage(visit, answered.response.status);
  if (response.destroyed || normal !== null) await answered.response.body?.cancel();
  if (response.destroyed) return true;
  if (normal !== null) return redirect(visit, normal);
  await sendAnswer(answered, nonce, visit);
  return true;
}

/**
 * Returns the canonical URL of a page that was requested by another spelling, or null. Owner
 * redirects and removed pages are answered immediately.
 */
function addressOfPage({ target }: Visit, status: number): string | null {
  if (target.ok || target.status !== 301) return null;
  return (status >= 300 && status < 400) || status === 410 ? null : target.location;
}

type Body = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;

/** Reads a form from our own pages. Returns `refused` if an error response was sent. */
async function takeBody(visit: Visit, origin: string): Promise<Body | 'refused'> {
  const { site, request, response, method, pathname } = visit;
  const no = (status: number) => refuse(visit, status) && ('refused' as const);
  const status = refuseUnsafeRequest(request.headers, [site.services.env.origin, origin], pathname);
  if (status) return no(status);
  if (isUpload(method, pathname)) {
    const body = uploadBody(request, site.requestTimeout);
    if (!body) return no(413);
    if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
    return body;
  }
  const read = await readBody(request, response, pathname);
  if (!read.ok) return no(read.status);
  return read.body.length > 0 ? new Uint8Array(read.body) : null;
}

/** Returns the web request. Its signal is aborted when the visitor disconnects. */
function webRequest(
  { request, response, method, pathname, search }: Visit,
  origin: string,
  body: Body,
): Request {
  const left = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) left.abort();
  });
  const headers = createHeaders(request);
  // `refuseUnsafeRequest` has already checked the origin. The router's check would log errors for
  // the origin `null`, for proxies that change the host, and for one-click unsubscribing.
  if (headers.has('origin') && !safeMethods.has(method)) headers.set('origin', origin);
  return new Request(origin + pathname + search, {
    method,
    headers,
    signal: left.signal,
    ...(body ? { body, duplex: 'half' } : {}),
  });
}

/**
 * Sends the compressed page with the common headers. A visitor page is one chunk; other pages are
 * streamed.
 */
async function sendAnswer(
  { response: page, error }: SiteAnswer,
  nonce: string,
  visit: Visit,
): Promise<void> {
  const { request, response, isPrefetch } = visit;
  if (isPrefetch && page.headers.has('set-cookie')) {
    await page.body?.cancel();
    sendNotAhead(visit); // A cookie is a side effect, so only the actual visit sets it.
    return;
  }
  const headers = headersOf(page, nonce, visit);
  let { status } = page;
  if (status === 500 && isDatabaseUnavailable(error)) {
    status = 503;
    headers.set('retry-after', '5');
  }
  const { body } = page;
  const encoding = body === null ? 'identity' : encode(headers, visit);
  const begin = () => response.writeHead(status, [...headers].flat());
  if (body === null || request.method === 'HEAD') {
    await body?.cancel();
    begin().end();
  } else if (page.headers.has(visitorsPageFlag)) {
    const whole = await compress(Buffer.from(await page.arrayBuffer()), encoding);
    headers.set('content-length', String(whole.length));
    begin().end(whole);
  } else {
    begin();
    await sendStream(body, encoding, response);
  }
}

function headersOf(page: Response, nonce: string, { site, request }: Visit): Headers {
  const headers = new Headers(page.headers);
  const isVisitorsPage = headers.has(visitorsPageFlag);
  headers.delete(visitorsPageFlag);
  setAll(headers, site.base);
  // A route that shows third-party markup in a frame has its own policy, which is stricter except
  // for that frame.
  const frame = page.headers.get('x-frame-options');
  if (frame) headers.set('x-frame-options', frame);
  const resource = page.headers.get('cross-origin-resource-policy');
  if (resource) headers.set('cross-origin-resource-policy', resource);
  if (!site.developmentMiddleware && !page.headers.has('content-security-policy')) {
    const isPage = headers.get('content-type')?.startsWith('text/html') ?? false;
    const policy = isVisitorsPage
      ? site.visitorsPolicy
      : noncePolicy(nonce, site.outsideHosts) + site.reporting.ending;
    headers.set('content-security-policy', isPage ? policy : strictPolicy);
    if (isPage) setAll(headers, site.reporting.headers);
  }
  if (site.hasStandbys && !safeMethods.has(request.method ?? '')) {
    const secure = site.services.env.origin.startsWith('https:') ? '; Secure' : '';
    const cookie = `${wroteCookie}=1; Path=/; Max-Age=${wroteForSeconds}; HttpOnly; SameSite=Lax`;
    headers.append('set-cookie', cookie + secure);
  }
  if (!headers.has('cache-control') || headers.has('set-cookie')) {
    headers.set('cache-control', 'private, no-store');
  }
  if (!request.complete) setAll(headers, connectionClose);
  return headers;
}

/** Returns the compression to use for the body, and sets its headers. */
function encode(headers: Headers, { request }: Visit): Encoding {
  if (!isText(headers.get('content-type') ?? '') || headers.has('content-encoding')) {
    return 'identity';
  }
  headers.append('vary', 'accept-encoding');
  if (request.method === 'HEAD') return 'identity';
  const encoding = acceptedEncoding(request.headers['accept-encoding'], passingEncodings);
  if (encoding === 'identity') return encoding;
  headers.set('content-encoding', encoding);
  headers.delete('content-length');
  // A strong ETag identifies exactly these bytes.
  const etag = headers.get('etag');
  if (etag?.startsWith('"')) headers.set('etag', `${etag.slice(0, -1)}-${encoding}"`);
  return encoding;
}

function setAll(headers: Headers, more: HeaderSet): void {
  for (const [name, value] of Object.entries(more)) headers.set(name, value);
}
