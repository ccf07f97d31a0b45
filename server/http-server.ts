import { randomBytes, randomFillSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { createHeaders } from '@remix-run/node-fetch-server';
import { hcaptchaHosts } from '#app/platform/captcha/hcaptcha-hosts.ts';
import type { AppServices, RequestFacts } from '#app/platform/app-context.server.ts';
import { createRequestLog } from '#app/platform/log.server.ts';
import { acceptedEncoding } from '#server/accepted-encoding.ts';
import { errorPage, errorPagePolicy } from '#server/error-page.ts';
import { readiness } from '#server/health.ts';
import { isDatabaseUnavailable } from '#server/is-database-unavailable.ts';
import { KeptPageCount } from '#server/kept-page-count.ts';
import { KnownTargets } from '#server/known-targets.ts';
import { normalisePath } from '#server/normalise-path.ts';
import type { PageCache, Rendered } from '#server/page-cache.ts';
import { readBody } from '#server/read-body.ts';
import {
  isAllowedHost,
  isLocalRequest,
  knownMethods,
  refuseUnsafeRequest,
  safeMethods,
  visibleOrigin,
  visitorAddress,
} from '#server/request-origin.ts';
import { noncePolicy, securityHeaders, strictPolicy } from '#server/security-headers.ts';
import { sendStream } from '#server/send-stream.ts';
import { makeSharedPage, mayShare } from '#server/shared-page.ts';
import type { SiteAnswer, SiteApp } from '#server/site-app.ts';
import { VisitorLimits } from '#server/visitor-limits.ts';
import { serveMedia, serveStaticFile, type StaticFiles } from '#server/static-files.ts';
import { isText, sendStoredAnswer, type StoredAnswer } from '#server/stored-answer.ts';

export interface SiteServerOptions {
  services: AppServices;
  app: SiteApp;
  files: StaticFiles;
  /** Null: every page is rendered for its visitor. */
  cache: PageCache<StoredAnswer> | null;
  /** Vite's, in development: it takes what it knows and passes the rest on. */
  developmentMiddleware?: (
    request: IncomingMessage,
    response: ServerResponse,
    next: () => void,
  ) => void;
  /** True while the process is about to stop, so that a load balancer sends no more visitors. */
  isStopping?: () => boolean;
}

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
  const { services, app, files, cache, developmentMiddleware } = options;
  const { env, log } = services;
  const base = securityHeaders(env.origin);
  const addressOf = visitorAddress(env.trustedProxies);
  const requestLog = createRequestLog(log);
  const targets = new KnownTargets();
  const outsideHosts = env.hcaptcha ? hcaptchaHosts : [];
  const visitors = new VisitorLimits(services);
  const keptPages = new KeptPageCount(requestLog);
  const mediaFolder = path.join(env.dataDir, 'media');
  const isDevelopment = developmentMiddleware !== undefined;

  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 5_000,
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
    answer(request, response, id).catch((error: unknown) => {
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
        { requestId: id, method: request.method, path: asked, status, ms },
        'request',
      );
    });
  }

  /**
   * The short way to a page that is in the cache: the same conditions as the long way has, without its work for
   * requests that need more. False sends the request on the long way.
   */
  function sendKeptPage(request: IncomingMessage, response: ServerResponse): boolean {
    if (!cache || !mayShare(request.method ?? '', request.headers)) return false;
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
    if (!knownMethods.has(method)) return refuse(405, ['allow', [...knownMethods].join(', ')]);

    const target = normalisePath(request.url ?? '');
    if (!target.ok && target.status !== 301) return refuse(target.status);
    if (target.ok && target.pathname === '/health/live')
      return sendText(request, response, 200, 'ok\n');
    const { host } = request.headers;
    if (host === undefined || !isAllowedHost(host, env.allowedHosts)) return refuse(421);
    if (!target.ok) {
      return safeMethods.has(method) ? redirect(response, target.location) : refuse(400);
    }
    const { pathname, search } = target;
    if (pathname === '/health/ready') return sendReadiness(request, response, id);

    if (developmentMiddleware) await runMiddleware(developmentMiddleware, request, response);
    if (response.headersSent || response.writableEnded) return;

    if (safeMethods.has(method)) {
      if (serveStaticFile(files, pathname, request, response)) return;
      if (pathname.startsWith('/media/')) {
        if (await serveMedia(mediaFolder, pathname, base, request, response)) return;
        return sendText(request, response, 404, 'Not found\n');
      }
      // Never let the router make a page of a missing script: old tabs would cache it.
      if (pathname.startsWith('/assets/')) return sendText(request, response, 404, 'Not found\n');
    }

    const address = addressOf(request);
    const admitted = await visitors.admit(address, pathname, search);
    if (!admitted.ok) {
      return refuse(admitted.status, ['retry-after', String(admitted.retryAfterSeconds)]);
    }
    response.once('close', admitted.leave);
    if (response.destroyed) admitted.leave();

    const origin = visibleOrigin(host, env);
    const nonce = isDevelopment ? '' : randomBytes(16).toString('base64url');
    const facts: RequestFacts = { id, nonce, isForCache: false, address };
    const visit: Visit = { request, response, method, pathname, search, origin, facts };
    if (await sendSharedPage(visit)) return;
    await sendOwnPage(visit);
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
    const facts: RequestFacts = { id, nonce, isForCache: true, address: '' };
    const rendered = await app(new Request(env.origin + key), facts);
    if (isDatabaseUnavailable(rendered.error)) throw rendered.error;
    return makeSharedPage(rendered, nonce, base, outsideHosts);
  }

  async function sendOwnPage(visit: Visit): Promise<void> {
    const { request, response, method, facts, origin } = visit;
    let body: Buffer | null = null;
    if (!safeMethods.has(method)) {
      const refused = refuseUnsafeRequest(request.headers, [env.origin, origin], visit.pathname);
      if (refused) return fail(request, response, facts.id, refused);
      const read = await readBody(request, response);
      if (!read.ok) return fail(request, response, facts.id, read.status);
      body = read.body;
    }
    const left = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) left.abort();
    });
    const webRequest = new Request(origin + visit.pathname + visit.search, {
      method,
      headers: createHeaders(request),
      signal: left.signal,
      ...(body && body.length > 0 ? { body: new Uint8Array(body) } : {}),
    });
    const answered = await app(webRequest, facts);
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
      const policy = type.startsWith('text/html')
        ? noncePolicy(facts.nonce, outsideHosts)
        : strictPolicy;
      headers.set('content-security-policy', policy);
    }
    if (!headers.has('cache-control') || headers.has('set-cookie')) {
      headers.set('cache-control', 'private, no-store');
    }
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
    }
    response.writeHead(status, [...headers].flat());
    if (isHead || page.body === null) {
      await page.body?.cancel();
      response.end();
      return;
    }
    await sendStream(page.body, encoding, response);
  }

  async function sendReadiness(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
  ): Promise<void> {
    if (!isLocalRequest(request)) return fail(request, response, id, 404);
    const isStopping = options.isStopping?.() ?? false;
    const state = { ...(await readiness(services.db)), stopping: isStopping };
    const status = state.ready && !isStopping ? 200 : 503;
    send(request, response, status, 'application/json', `${JSON.stringify(state)}\n`);
  }

  function redirect(response: ServerResponse, location: string): void {
    const headers = ['location', location, 'content-security-policy', strictPolicy];
    response.writeHead(301, [...base, ...headers, 'cache-control', 'public, max-age=3600']).end();
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
    headers: string[] = [],
  ): void {
    if (response.headersSent) return void response.destroy();
    // What is left of an unread body would be taken for the next request.
    if (!request.complete) headers.push('connection', 'close');
    if (status === 503 && !headers.includes('retry-after')) headers.push('retry-after', '5');
    const more = ['content-security-policy', errorPagePolicy, ...headers];
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
