import { randomBytes, randomFillSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { createHeaders } from '@remix-run/node-fetch-server';
import { hcaptchaHosts } from '#app/platform/captcha/hcaptcha-hosts.ts';
import {
  apiMethods,
  crossOriginHeaders,
  describeProblem,
  isApiPath,
  preflightHeaders,
  problemType,
} from '#app/platform/api-problem.ts';
import type { AppServices, RequestFacts } from '#app/platform/app-context.server.ts';
import type { KeptPage } from '#app/platform/page-cache-rules.ts';
import { createRequestLog } from '#app/platform/log.server.ts';
import { acceptedEncoding } from '#server/accepted-encoding.ts';
import type { Door, DoorScreen } from '#server/door.ts';
import { doorScreen } from '#server/door-screen.ts';
import { errorPage } from '#server/error-page.ts';
import { readiness } from '#server/health.ts';
import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';
import { KeptPageCount } from '#server/kept-page-count.ts';
import { KnownTargets } from '#server/known-targets.ts';
import { limitRequestTime } from '#server/limit-request-time.ts';
import { normalisePath } from '#server/normalise-path.ts';
import type { PageCache, Rendered } from '#server/page-cache.ts';
import { plainPagePolicy } from '#server/plain-page.ts';
import { readBody } from '#server/read-body.ts';
import {
  balancerRequest,
  isAllowedHost,
  isLocalRequest,
  knownMethods,
  refuseUnsafeRequest,
  safeMethods,
  visibleOrigin,
  visitorAddress,
} from '#server/request-origin.ts';
import {
  noncePolicy,
  noReporting,
  policyReporting,
  securityHeaders,
  strictPolicy,
} from '#server/security-headers.ts';
import { sendStream } from '#server/send-stream.ts';
import { makeSharedPage, mayShare } from '#server/shared-page.ts';
import type { SiteAnswer, SiteApp } from '#server/site-app.ts';
import { isUpload, isUploadTarget, uploadBody } from '#server/upload-body.ts';
import { VisitorLimits } from '#server/visitor-limits.ts';
import { Overloaded, Workload } from '#server/workload.ts';
import { serveMedia, serveStaticFile, type StaticFiles } from '#server/static-files.ts';
import { isText, sendStoredAnswer, type StoredAnswer } from '#server/stored-answer.ts';

export interface SiteServerOptions {
  services: AppServices;
  app: SiteApp;
  files: StaticFiles;
  /** Null: every page is rendered for its visitor. */
  cache: PageCache<StoredAnswer> | null;
  /** What may be in it. */
  keptPages: readonly KeptPage[];
  /** What stands before every page; without one all are let in. */
  door?: Door;
  /** How long a connection may take, where not as R24 has it. */
  times?: Partial<ConnectionTimes>;
  /** How many pages may be made; without one only their number is limited. */
  workload?: Workload;
  /** Vite's, in development: it takes what it knows and passes the rest on. */
  developmentMiddleware?: (
    request: IncomingMessage,
    response: ServerResponse,
    next: () => void,
  ) => void;
  /** True once the process is to stop: `/health/ready` says so, and balancers send no more visitors. */
  isStopping?: () => boolean;
}

interface ConnectionTimes {
  headersTimeout: number;
  requestTimeout: number;
  uploadTimeout: number;
  keepAliveTimeout: number;
  connectionsCheckingInterval: number;
}

/**
 * R24, in milliseconds: for the headers, for the whole request, for a whole upload, for the next request on the
 * connection. Of an upload something must come within the time of a request, again and again.
 */
export const connectionTimes: ConnectionTimes = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  uploadTimeout: 600_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};

interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  method: string;
  pathname: string;
  search: string;
  /** The origin this visitor sees. */
  origin: string;
  facts: RequestFacts;
}

/** The site over HTTP: everything that holds for all requests happens here, once, before any page's own code. */
export function createSiteServer(options: SiteServerOptions): Server {
  const { services, app, files, cache, door, developmentMiddleware } = options;
  const { env, log } = services;
  const base = securityHeaders(env.origin);
  const addressOf = visitorAddress(env.trustedProxies);
  const isBalancer = balancerRequest(env);
  const requestLog = createRequestLog(log);
  const targets = new KnownTargets(options.keptPages);
  const outsideHosts = env.hcaptcha ? hcaptchaHosts : [];
  const reporting = env.cspReports ? policyReporting(env.origin) : noReporting;
  const visitors = new VisitorLimits(services);
  const keptPages = new KeptPageCount(requestLog, () => cache?.stats.stoodIn ?? 0);
  const workload = options.workload ?? new Workload({ mostDelayMs: 0 });
  const mediaFolder = path.join(env.dataDir, 'media');
  const isDevelopment = developmentMiddleware !== undefined;

  const times = { ...connectionTimes, ...options.times };
  const { requestTimeout } = times;
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      ...times,
      requestTimeout: Math.max(requestTimeout, times.uploadTimeout),
    },
    receive,
  );
  server.maxConnections = env.maxConnections;
  server.on('checkContinue', receive); // the body is asked for when its size is known to be fair
  server.on('clientError', refuseUnreadable);
  return server;

  function receive(request: IncomingMessage, response: ServerResponse): void {
    if (sendKeptPage(request, response)) return keptPages.count();
    const id = createRequestId();
    if (requestLog.isLevelEnabled('info')) noteWhenDone(request, response, id);
    if (!isUploadTarget(request)) {
      limitRequestTime(request, requestTimeout, () => fail(request, response, id, 408));
    }
    answer(request, response, id).catch((error: unknown) => {
      if (error instanceof Overloaded) return fail(request, response, id, 503, busy);
      log.error({ requestId: id, err: error }, 'request failed');
      fail(request, response, id, isDatabaseUnavailable(error) ? 503 : 500);
    });
  }

  function noteWhenDone(request: IncomingMessage, response: ServerResponse, id: string): void {
    const startedAt = performance.now();
    response.once('close', () => {
      const target = request.url ?? '';
      const cut = target.indexOf('?'); // a query may hold tokens
      const asked = target.slice(0, Math.min(500, cut < 0 ? target.length : cut));
      const ms = Math.round((performance.now() - startedAt) * 10) / 10;
      const status = response.writableFinished ? response.statusCode : 499;
      requestLog.info(
        {
          requestId: id,
          method: request.method,
          path: asked,
          status,
          ms,
          ...securityEvent(status),
        },
        'request',
      );
    });
  }

  /**
   * The short way to a page that is in the cache: the same conditions as the long way has, without its work for
   * requests that need more. False sends the request on the long way.
   */
  function sendKeptPage(request: IncomingMessage, response: ServerResponse): boolean {
    if (!cache || !isDoorOpen() || !mayShare(request.method ?? '', request.headers)) return false;
    const key = targets.keyOf(request.url ?? '');
    if (key === null || !isAllowedHost(request.headers.host, env.allowedHosts)) return false;
    const page = cache.peek(key, renderForAll);
    if (page) sendStoredAnswer(page, request, response);
    return page !== null;
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
  ): Promise<void> {
    const refuse = (status: number, headers: string[] = []) =>
      fail(request, response, id, status, headers);
    const method = request.method ?? '';
    const target = normalisePath(request.url ?? '');
    const isPreflight = method === 'OPTIONS' && target.ok && isApiPath(target.pathname);
    if (!knownMethods.has(method) && !isPreflight) {
      const allowed = target.ok && isApiPath(target.pathname) ? apiMethods : pageMethods;
      return refuse(405, ['allow', allowed]);
    }
    if (!target.ok && target.status !== 301) return refuse(target.status);
    if (target.ok && target.pathname === '/health/live')
      return sendText(request, response, 200, 'ok\n');
    if (target.ok && target.pathname === '/health/ready') {
      // A balancer on another machine knows none of the site's names.
      if (!isLocalRequest(request) && !isBalancer(request)) return refuse(404);
      return sendReadiness(request, response);
    }
    const { host } = request.headers;
    if (host === undefined || !isAllowedHost(host, env.allowedHosts)) return refuse(421);
    if (!target.ok) {
      return safeMethods.has(method) ? redirect(response, target.location) : refuse(400);
    }
    const { pathname, search } = target;
    if (isPreflight) return sendPreflight(response);

    if (developmentMiddleware) await runMiddleware(developmentMiddleware, request, response);
    if (response.headersSent || response.writableEnded) return;

    const isPicture = safeMethods.has(method) && pathname.startsWith('/media/');
    if (safeMethods.has(method)) {
      if (serveStaticFile(files, pathname, request, response)) return;
      if (isPicture && isDoorOpen()) return sendPicture(request, response, pathname);
      // Never let the router make a page of a missing script: old tabs would cache it.
      if (pathname.startsWith('/assets/')) return sendText(request, response, 404, 'Not found\n');
    }

    const { address, isKnown } = addressOf(request);
    const admitted = await visitors.admit(address, pathname, search);
    if (!admitted.ok) {
      return refuse(admitted.status, ['retry-after', String(admitted.retryAfterSeconds)]);
    }
    response.once('close', admitted.leave);
    if (response.destroyed) admitted.leave();

    const knocking = {
      pathname,
      cookie: request.headers.cookie,
      address: isKnown ? address : null,
    };
    const answered = isDoorOpen() ? null : await door?.examine(knocking);
    if (door && answered?.letsIn === false) {
      return sendDoorScreen(answered.screen, door, pathname, request, response, id);
    }
    if (isPicture) return sendPicture(request, response, pathname);

    const origin = visibleOrigin(host, env);
    const doorNote = (answered && door?.debugNote(answered, knocking.address)) ?? null;
    const nonce = isDevelopment ? '' : randomBytes(16).toString('base64url');
    const facts: RequestFacts = { id, nonce, isForCache: false, address, doorNote };
    const visit: Visit = { request, response, method, pathname, search, origin, facts };
    if (doorNote === null && (await sendSharedPage(visit))) return;
    await sendOwnPage(visit);
  }

  function isDoorOpen(): boolean {
    return !door || door.isOpen;
  }

  async function sendPicture(
    request: IncomingMessage,
    response: ServerResponse,
    pathname: string,
  ): Promise<void> {
    if (await serveMedia(mediaFolder, pathname, base, request, response)) return;
    sendText(request, response, 404, 'Not found\n');
  }

  function sendDoorScreen(
    screen: DoorScreen,
    { words }: Door,
    pathname: string,
    request: IncomingMessage,
    response: ServerResponse,
    reference: string,
  ): void {
    const { accept } = request.headers;
    const asked = { pathname, accept, origin: env.origin, reference };
    const { type, policy, text } = doorScreen(screen, words, asked);
    const headers = ['content-security-policy', policy, 'retry-after', '600'];
    // What is left of an unread body would be taken for the next request.
    if (!request.complete) headers.push('connection', 'close');
    send(request, response, 503, type, text, headers);
  }

  async function sendSharedPage({ request, response, method }: Visit): Promise<boolean> {
    if (!cache || !mayShare(method, request.headers)) return false;
    const key = targets.keyOf(request.url ?? '');
    if (key === null) return false;
    const page = await cache.read(key, renderForAll);
    if (page) sendStoredAnswer(page, request, response);
    return page !== null;
  }

  /** Nothing of any visitor's request goes into it: only the key, which is an address. */
  async function renderForAll(key: string): Promise<Rendered<StoredAnswer> | null> {
    const nonce = randomBytes(16).toString('base64url');
    const id = createRequestId();
    const facts: RequestFacts = { id, nonce, isForCache: true, address: '', doorNote: null };
    const rendered = await workload.run(() => app(new Request(env.origin + key), facts));
    if (isDatabaseUnavailable(rendered.error)) throw rendered.error;
    return makeSharedPage(rendered, nonce, base, { outsideHosts, reporting });
  }

  async function sendOwnPage(visit: Visit): Promise<void> {
    const { request, response, method, facts, origin } = visit;
    if (workload.refuses()) return fail(request, response, facts.id, 503, busy);
    let body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null = null;
    if (!safeMethods.has(method)) {
      const refused = refuseUnsafeRequest(request.headers, [env.origin, origin], visit.pathname);
      if (refused) return fail(request, response, facts.id, refused);
      if (isUpload(method, visit.pathname)) {
        body = uploadBody(request, requestTimeout);
        if (!body) return fail(request, response, facts.id, 413);
        if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
      } else {
        const read = await readBody(request, response, visit.pathname);
        if (!read.ok) return fail(request, response, facts.id, read.status);
        if (read.body.length > 0) body = new Uint8Array(read.body);
      }
    }
    const left = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) left.abort();
    });
    const webRequest = new Request(origin + visit.pathname + visit.search, {
      method,
      headers: createHeaders(request),
      signal: left.signal,
      ...(body ? { body, duplex: 'half' } : {}),
    });
    // An upload takes as long as its sender: it would keep others waiting for nothing.
    const answered = await (isUpload(method, visit.pathname)
      ? app(webRequest, facts)
      : workload.run(() => app(webRequest, facts)));
    if (response.destroyed) {
      await answered.response.body?.cancel();
      return;
    }
    await sendAnswer(answered, visit);
  }

  /** The page's answer with what every answer carries, and compressed as it streams. */
  async function sendAnswer(
    { response: page, error }: SiteAnswer,
    { request, response, facts }: Visit,
  ): Promise<void> {
    const headers = new Headers(page.headers);
    setAll(headers, base);
    // A route that shows foreign markup in a frame has a policy of its own, stricter but for that frame.
    const frame = page.headers.get('x-frame-options');
    if (frame) headers.set('x-frame-options', frame);
    const type = headers.get('content-type') ?? '';
    if (!isDevelopment && !page.headers.has('content-security-policy')) {
      const isPage = type.startsWith('text/html');
      const policy = noncePolicy(facts.nonce, outsideHosts) + reporting.ending;
      headers.set('content-security-policy', isPage ? policy : strictPolicy);
      if (isPage) setAll(headers, reporting.headers);
    }
    if (!headers.has('cache-control') || headers.has('set-cookie')) {
      headers.set('cache-control', 'private, no-store');
    }
    // What is left of an upload that was refused would be taken for the next request.
    if (!request.complete) headers.set('connection', 'close');
    let { status } = page;
    if (status === 500 && isDatabaseUnavailable(error)) {
      status = 503;
      headers.set('retry-after', '5');
    }
    const mayCompress = page.body !== null && isText(type) && !headers.has('content-encoding');
    if (mayCompress) headers.append('vary', 'accept-encoding');
    const isHead = request.method === 'HEAD';
    const accepted = acceptedEncoding(request.headers['accept-encoding']);
    const encoding = mayCompress && !isHead ? accepted : 'identity';
    if (encoding !== 'identity') {
      headers.set('content-encoding', encoding);
      headers.delete('content-length');
      // A strong tag stands for exactly these bytes.
      const etag = headers.get('etag');
      if (etag?.startsWith('"')) headers.set('etag', `${etag.slice(0, -1)}-${encoding}"`);
    }
    response.writeHead(status, [...headers].flat());
    if (isHead || page.body === null) {
      await page.body?.cancel();
      response.end();
      return;
    }
    await sendStream(page.body, encoding, response);
  }

  async function sendReadiness(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isStopping = options.isStopping?.() ?? false;
    const state = { ...(await readiness(services.db)), stopping: isStopping };
    const status = state.ready && !isStopping ? 200 : 503;
    send(request, response, status, 'application/json', `${JSON.stringify(state)}\n`);
  }

  function redirect(response: ServerResponse, location: string): void {
    const headers = ['location', location, 'content-security-policy', strictPolicy];
    response.writeHead(301, [...base, ...headers, 'cache-control', 'public, max-age=3600']).end();
  }

  function sendPreflight(response: ServerResponse): void {
    const policy = ['content-security-policy', strictPolicy];
    response.writeHead(204, [...base, ...policy, ...Object.entries(preflightHeaders).flat()]).end();
  }

  function sendText(
    request: IncomingMessage,
    response: ServerResponse,
    status: number,
    text: string,
  ) {
    send(request, response, status, 'text/plain; charset=utf-8', text);
  }

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    status: number,
    type: string,
    text: string,
    more: string[] = ['content-security-policy', strictPolicy],
  ): void {
    const length = String(Buffer.byteLength(text));
    response.writeHead(status, [
      ...base,
      'content-type',
      type,
      'content-length',
      length,
      'cache-control',
      'private, no-store',
      ...more,
    ]);
    response.end(request.method === 'HEAD' ? undefined : text);
  }

  function fail(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    status: number,
    headers: readonly string[] = [],
  ): void {
    if (response.headersSent) return void response.destroy();
    const told = [...headers];
    // What is left of an unread body would be taken for the next request.
    if (!request.complete) told.push('connection', 'close');
    if (status === 503 && !told.includes('retry-after')) told.push('retry-after', '5');
    if (isApiPath((request.url ?? '').split('?', 1)[0] ?? '')) {
      const problem = describeProblem(status, { origin: env.origin, reference: id });
      const more = [...Object.entries(crossOriginHeaders).flat(), ...told];
      more.push('content-security-policy', strictPolicy);
      return send(request, response, status, problemType, problem, more);
    }
    const more = ['content-security-policy', plainPagePolicy, ...told];
    send(request, response, status, 'text/html; charset=utf-8', errorPage(status, id), more);
  }

  /** What the parser refuses never becomes a request, so the answer is written by hand. */
  function refuseUnreadable(error: Error & { code?: string }, socket: Duplex): void {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const status = unreadable[error.code ?? ''] ?? '400 Bad Request';
    const lines = [`HTTP/1.1 ${status}`, 'connection: close', 'content-length: 0'];
    const headers = [...base, 'content-security-policy', strictPolicy, 'cache-control', 'no-store'];
    for (let n = 0; n < headers.length; n += 2) lines.push(`${headers[n]}: ${headers[n + 1]}`);
    socket.end(`${lines.join('\r\n')}\r\n\r\n`);
  }
}

const busy = ['retry-after', '2'];
const pageMethods = [...knownMethods].join(', ');

const unreadable: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

const idBytes = 9;
const randomPool = Buffer.alloc(idBytes * 512);
let usedOfPool = randomPool.length;

/** Twelve letters. Random bytes are fetched for many at a time: one by one they cost more than a page from memory. */
function createRequestId(): string {
  if (usedOfPool === randomPool.length) {
    randomFillSync(randomPool);
    usedOfPool = 0;
  }
  return randomPool.toString('base64url', usedOfPool, (usedOfPool += idBytes));
}

function setAll(headers: Headers, list: readonly string[]): void {
  for (let n = 0; n < list.length; n += 2) headers.set(list[n] ?? '', list[n + 1] ?? '');
}

function runMiddleware(
  middleware: NonNullable<SiteServerOptions['developmentMiddleware']>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', resolve);
    middleware(request, response, resolve);
  });
}

/** What whoever watches the log looks for (R41): somebody was refused, or came too often. */
function securityEvent(status: number): { event?: string } {
  if (status === 401 || status === 403) return { event: 'denied' };
  return status === 429 ? { event: 'rate-limit' } : {};
}
