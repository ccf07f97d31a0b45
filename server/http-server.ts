import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { hcaptchaHosts } from '#app/platform/captcha/hcaptcha-hosts.ts';
import { createRequestLog, type Log } from '#app/platform/log.server.ts';
import type { KeptPage } from '#app/platform/page-cache-rules.ts';
import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';
import { createRequestId } from '#server/create-request-id.ts';
import type { Gate } from '#server/gate.ts';
import { KeptPageCount } from '#server/kept-page-count.ts';
import { KnownTargets } from '#server/known-targets.ts';
import { limitRequestTime } from '#server/limit-request-time.ts';
import { normalisePath } from '#server/normalise-path.ts';
import type { PageCache } from '#server/page-cache.ts';
import { refuse, retrySoon } from '#server/plain-answers.ts';
import { renderForAll } from '#server/rendered-pages.ts';
import { balancerRequest, isAllowedHost, visitorAddress } from '#server/request-origin.ts';
import { answer } from '#server/request-steps.ts';
import {
  type HeaderList,
  noReporting,
  policyReporting,
  securityHeaders,
  strictPolicy,
} from '#server/security-headers.ts';
import { mayShare } from '#server/shared-page.ts';
import type { SiteApp } from '#server/site-app.ts';
import type { StaticFiles } from '#server/static-files.ts';
import { sendStoredAnswer, type StoredAnswer } from '#server/stored-answer.ts';
import { isUploadTarget } from '#server/upload-body.ts';
import type { DevelopmentMiddleware, Site, Visit } from '#server/visit.ts';
import { VisitorLimits } from '#server/visitor-limits.ts';
import { Overloaded, Workload } from '#server/workload.ts';

export interface SiteServerOptions {
  services: AppServices;
  app: SiteApp;
  files: StaticFiles;
  /** Null: every page is rendered for its visitor. */
  cache: PageCache<StoredAnswer> | null;
  /** What may be in it. */
  keptPages: readonly KeptPage[];
  /** What stands before every page; without one all are let in. */
  gate?: Gate;
  /** How long a connection may take, where not as R24 has it. */
  times?: Partial<ConnectionTimes>;
  /** How many pages may be made; without one only their number is limited. */
  workload?: Workload;
  /** Vite's, in development: it takes what it knows and passes the rest on. */
  developmentMiddleware?: DevelopmentMiddleware;
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

/** The site over HTTP. What holds for all requests happens in `request-steps.ts`, once, before any page's own code. */
export function createSiteServer(options: SiteServerOptions): Server {
  const times = { ...connectionTimes, ...options.times };
  const site = openSite(options, times.requestTimeout);
  const requestLog = createRequestLog(site.services.log);
  const keptPages = new KeptPageCount(requestLog, () => site.cache?.stats.stoodIn ?? 0);
  const receive = (request: IncomingMessage, response: ServerResponse) => {
    if (sendKeptPage(site, request, response)) keptPages.count();
    else handle(startVisit(site, request, response), requestLog);
  };
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      ...times,
      requestTimeout: Math.max(times.requestTimeout, times.uploadTimeout),
    },
    receive,
  );
  server.maxConnections = site.services.env.maxConnections;
  server.on('checkContinue', receive); // the body is asked for when its size is known to be fair
  server.on('clientError', (error, socket) => refuseUnreadable(site.base, error, socket));
  return server;
}

function openSite(options: SiteServerOptions, requestTimeout: number): Site {
  const { services, app, files, cache, gate, developmentMiddleware } = options;
  const { env } = services;
  return {
    services,
    app,
    files,
    cache,
    gate,
    developmentMiddleware,
    requestTimeout,
    workload: options.workload ?? new Workload({ mostDelayMs: 0 }),
    visitors: new VisitorLimits(services),
    targets: new KnownTargets(options.keptPages),
    mediaFolder: path.join(env.dataDir, 'media'),
    base: securityHeaders(env.origin),
    outsideHosts: env.hcaptcha ? hcaptchaHosts : [],
    reporting: env.cspReports ? policyReporting(env.origin) : noReporting,
    isBalancer: balancerRequest(env),
    addressOf: visitorAddress(env.trustedProxies),
    isStopping: options.isStopping ?? (() => false),
  };
}

/**
 * The short way to a page that is in the cache: the same conditions as the long way has, without its work for
 * requests that need more. False sends the request on the long way.
 */
function sendKeptPage(site: Site, request: IncomingMessage, response: ServerResponse): boolean {
  const { cache, gate, targets, services } = site;
  if (!cache || gate?.isOpen === false || !mayShare(request.method ?? '', request.headers)) {
    return false;
  }
  const key = targets.keyOf(request.url ?? '');
  if (key === null || !isAllowedHost(request.headers.host, services.env.allowedHosts)) return false;
  const page = cache.peek(key, (wanted) => renderForAll(site, wanted));
  if (page) sendStoredAnswer(page, request, response);
  return page !== null;
}

function startVisit(site: Site, request: IncomingMessage, response: ServerResponse): Visit {
  const target = normalisePath(request.url ?? '');
  return {
    site,
    request,
    response,
    id: createRequestId(),
    method: request.method ?? '',
    target,
    pathname: target.ok ? target.pathname : '',
    search: target.ok ? target.search : '',
    address: '',
    gateNote: null,
  };
}

function handle(visit: Visit, requestLog: Log): void {
  const { site, request, id } = visit;
  if (requestLog.isLevelEnabled('info')) noteWhenDone(visit, requestLog);
  if (!isUploadTarget(request)) {
    limitRequestTime(request, site.requestTimeout, () => refuse(visit, 408));
  }
  answer(visit).catch((error: unknown) => {
    if (error instanceof Overloaded) return refuse(visit, 503, retrySoon);
    site.services.log.error({ requestId: id, err: error }, 'request failed');
    refuse(visit, isDatabaseUnavailable(error) ? 503 : 500);
  });
}

function noteWhenDone({ request, response, id }: Visit, requestLog: Log): void {
  const startedAt = performance.now();
  response.once('close', () => {
    const target = request.url ?? '';
    const cut = target.indexOf('?'); // a query may hold tokens
    const asked = target.slice(0, Math.min(500, cut < 0 ? target.length : cut));
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const status = response.writableFinished ? response.statusCode : 499;
    const { method } = request;
    const line = { requestId: id, method, path: asked, status, ms, ...securityEvent(status) };
    requestLog.info(line, 'request');
  });
}

/** What the parser refuses never becomes a request, so the answer is written by hand. */
function refuseUnreadable(
  base: HeaderList,
  error: Error & { code?: string },
  socket: Duplex,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = unreadable[error.code ?? ''] ?? '400 Bad Request';
  const lines = [`HTTP/1.1 ${status}`, 'connection: close', 'content-length: 0'];
  const headers = [...base, 'content-security-policy', strictPolicy, 'cache-control', 'no-store'];
  for (let n = 0; n < headers.length; n += 2) lines.push(`${headers[n]}: ${headers[n + 1]}`);
  socket.end(`${lines.join('\r\n')}\r\n\r\n`);
}

const unreadable: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** What whoever watches the log looks for (R41): somebody was refused, or came too often. */
function securityEvent(status: number): { event?: string } {
  if (status === 401 || status === 403) return { event: 'denied' };
  return status === 429 ? { event: 'rate-limit' } : {};
}
