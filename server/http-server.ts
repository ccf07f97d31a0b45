import { randomBytes } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import path from 'node:path';
import { type Duplex, Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { createHeaders, sendResponse } from '@remix-run/node-fetch-server';
import { hcaptchaHosts } from '#app/platform/captcha/hcaptcha-hosts.ts';
import type { AppServices, RequestFacts } from '#app/platform/app-context.server.ts';
import { acceptedEncoding } from '#server/accepted-encoding.ts';
import { errorPage, errorPagePolicy } from '#server/error-page.ts';
import { readiness } from '#server/health.ts';
import { isDatabaseUnavailable } from '#server/is-database-unavailable.ts';
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
import { makeSharedPage, sharedPageKey } from '#server/shared-page.ts';
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
  const outsideHosts = env.hcaptcha ? hcaptchaHosts : [];
  const visitors = new VisitorLimits(services);
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
    const id = randomBytes(9).toString('base64url');
    const startedAt = performance.now();
    response.once('close', () => {
      const asked = (request.url ?? '').split('?', 1)[0]?.slice(0, 500); // a query may hold tokens
      const ms = Math.round((performance.now() - startedAt) * 10) / 10;
      const status = response.writableFinished ? response.statusCode : 499;
      log.info({ requestId: id, method: request.method, path: asked, status, ms }, 'request');
    });
    answer(request, response, id).catch((error: unknown) => {
      log.error({ requestId: id, err: error }, 'request failed');
      fail(request, response, id, isDatabaseUnavailable(error) ? 503 : 500);
    });
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

  async function sendSharedPage({
    request,
    response,
    method,
    pathname,
    search,
  }: Visit): Promise<boolean> {
    if (!cache) return false;
    const key = sharedPageKey(method, pathname, search, request.headers);
    if (key === null) return false;
    const page = await cache.read(key, () => renderForAll(key));
    if (page) sendStoredAnswer(page, request, response);
    return page !== null;
  }

  /** Nothing of any visitor's request goes into it: only the key, which is an address. */
  async function renderForAll(key: string): Promise<Rendered<StoredAnswer> | null> {
    const nonce = randomBytes(16).toString('base64url');
    const id = randomBytes(9).toString('base64url');
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
    await sendResponse(response, finish(answered, visit));
  }

  /** The page's answer with what every answer carries, and compressed as it streams. */
  function finish({ response, error }: SiteAnswer, { request, facts }: Visit): Response {
    const headers = new Headers(response.headers);
    setAll(headers, base);
    // A route that shows foreign markup in a frame has a policy of its own, stricter but for that frame.
    const frame = response.headers.get('x-frame-options');
    if (frame) headers.set('x-frame-options', frame);
    const type = headers.get('content-type') ?? '';
    if (!isDevelopment && !response.headers.has('content-security-policy')) {
      const policy = type.startsWith('text/html')
        ? noncePolicy(facts.nonce, outsideHosts)
        : strictPolicy;
      headers.set('content-security-policy', policy);
    }
    if (!headers.has('cache-control') || headers.has('set-cookie')) {
      headers.set('cache-control', 'private, no-store');
    }
    let { status } = response;
    if (status === 500 && isDatabaseUnavailable(error)) {
      status = 503;
      headers.set('retry-after', '5');
    }
    const statusText = STATUS_CODES[status] ?? '';
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    const mayCompress = response.body !== null && isText(type) && !headers.has('content-encoding');
    if (mayCompress) headers.append('vary', 'accept-encoding');
    if (!mayCompress || encoding === 'identity' || request.method === 'HEAD') {
      return new Response(response.body, { status, statusText, headers });
    }
    headers.set('content-encoding', encoding);
    headers.delete('content-length');
    return new Response(compress(response.body, encoding), { status, statusText, headers });
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

/** Each piece is flushed as it comes, so that a page that streams still does. */
function compress(
  body: ReadableStream<Uint8Array> | null,
  encoding: 'br' | 'gzip',
): ReadableStream<Uint8Array> {
  const compressor =
    encoding === 'br'
      ? createBrotliCompress({
          flush: constants.BROTLI_OPERATION_FLUSH,
          params: {
            [constants.BROTLI_PARAM_QUALITY]: 4,
            [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          },
        })
      : createGzip({ level: 6, flush: constants.Z_SYNC_FLUSH });
  const source = Readable.fromWeb(body as NodeReadableStream<Uint8Array>);
  source.on('error', (error) => compressor.destroy(error));
  compressor.on('close', () => source.destroy());
  return Readable.toWeb(source.pipe(compressor)) as unknown as ReadableStream<Uint8Array>;
}
