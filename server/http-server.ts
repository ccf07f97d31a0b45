import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { addressRanges } from '#app/platform/address-ranges.ts';
import { createRequestLog, type Log } from '#app/platform/log.server.ts';
import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';
import { shareConnections } from '#server/connection-shares.ts';
import { CachedPageCount } from '#server/cached-page-count.ts';
import { limitRequestTime } from '#server/limit-request-time.ts';
import { refuse, retrySoon } from '#server/plain-answers.ts';
import { renderForAll } from '#server/rendered-pages.ts';
import { hasTwoHosts, isAllowedHost } from '#server/request-origin.ts';
import { answer } from '#server/request-steps.ts';
import { type HeaderSet, strictPolicy } from '#server/security-headers.ts';
import { mayShare } from '#server/shared-page.ts';
import { sendStoredAnswer } from '#server/stored-answer.ts';
import { isUploadTarget } from '#server/upload-body.ts';
import { openSite, type Site, type SiteOptions, startVisit, type Visit } from '#server/visit.ts';
import { Overloaded } from '#server/workload.ts';

export interface SiteServerOptions extends SiteOptions {
  /** Overrides for the connection timeouts. */
  times?: Partial<typeof connectionTimes>;
}

/**
 * Timeouts in ms for the headers, a whole request, a whole upload, and the wait for the next
 * request on a connection. An upload must not pause for longer than `requestTimeout`.
 */
export const connectionTimes = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  uploadTimeout: 600_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};

/** connections; a browser opens six, and several people may share an address */
const shareOfOne = 10;

/**
 * Creates the site's HTTP server. Rules for all requests are in `request-steps.ts` and run before
 * any page's own code.
 */
export function createSiteServer({ times: own, ...options }: SiteServerOptions): Server {
  const times = { ...connectionTimes, ...own };
  const site = openSite(options, times.requestTimeout);
  const requestLog = createRequestLog(site.services.log);
  const cachedPages = new CachedPageCount(requestLog, () => site.cache?.stats.staleOnError ?? 0);
  const receive = (request: IncomingMessage, response: ServerResponse) => {
    site.metrics?.watch(request, response);
    if (sendCachedPage(site, request, response)) cachedPages.count();
    else handle(startVisit(site, request, response), requestLog);
  };
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      // Creates no stream if there is no body, because a stream takes a tenth of a cached page's
      // time.
      optimizeEmptyRequests: true,
      ...times,
      requestTimeout: Math.max(times.requestTimeout, times.uploadTimeout),
    },
    receive,
  );
  const { maxConnections, trustedProxies } = site.services.env;
  server.maxConnections = maxConnections;
  const mostOfOne = Math.max(10, Math.floor(maxConnections / shareOfOne));
  server.on('connection', shareConnections(mostOfOne, addressRanges(trustedProxies)));
  server.on('checkContinue', receive); // The declared size is checked before the body.
  server.on('clientError', (error, socket) => refuseUnreadable(site.base, error, socket));
  return server;
}

/**
 * Sends a cached page through a fast path, under the same conditions as the normal path. Returns
 * false if the request must take the normal path.
 */
function sendCachedPage(site: Site, request: IncomingMessage, response: ServerResponse): boolean {
  const { cache, gate, targets, services } = site;
  if (!cache || gate?.isOpen === false || !mayShare(request.method ?? '', request.headers)) {
    return false;
  }
  const key = targets.keyOf(request.url ?? '');
  if (key === null || !isAllowedHost(request.headers.host, services.env.allowedHosts)) return false;
  if (hasTwoHosts(request)) return false;
  const page = cache.peek(key, (wanted) => renderForAll(site, wanted));
  return page !== null && sendStoredAnswer(page, request, response, () => cache.weighAnew(key));
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
    return refuse(visit, isDatabaseUnavailable(error) ? 503 : 500);
  });
}

function noteWhenDone({ request, response, id }: Visit, requestLog: Log): void {
  const startedAt = performance.now();
  response.once('close', () => {
    // The query may contain tokens, so it is not logged. The link to a shared list is a secret
    // itself.
    const [asked = ''] = (request.url ?? '').slice(0, 500).split('?', 1);
    const path = asked.replace(/^(\/+lists\/+).*/i, '$1…');
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const status = response.writableFinished ? response.statusCode : 499;
    const { method } = request;
    const line = { requestId: id, method, path, status, ms, ...securityEvent(status) };
    requestLog.info(line, 'request');
  });
}

/**
 * Responds to a request that the parser rejected. Writes to the socket, because no response object
 * exists for such a request.
 */
function refuseUnreadable(base: HeaderSet, error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = unreadable[error.code ?? ''] ?? '400 Bad Request';
  const policy = { 'content-security-policy': strictPolicy, 'cache-control': 'no-store' };
  const headers = { connection: 'close', 'content-length': '0', ...base, ...policy };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`);
}

const unreadable: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Returns the event name for log monitoring, if the request was rejected or exceeded a limit. */
function securityEvent(status: number): { event?: string } {
  if (status === 401 || status === 403) return { event: 'denied' };
  return status === 429 ? { event: 'rate-limit' } : {};
}
