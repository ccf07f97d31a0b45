import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { addressRanges } from '#app/platform/address-ranges.ts';
import type { Env } from '#app/platform/env.server.ts';
import { hasBody } from '#server/has-body.ts';
import {
  isMailReportsPath,
  isMailReportType,
} from '#app/platform/mail/reports/mail-reports-path.ts';
import { mcpPath } from '#app/platform/mcp-path.ts';
import { isPolicyReportType, policyReportPath } from '#app/platform/policy-report-path.ts';

type Headers = IncomingMessage['headers'];

const highestPort = 65_535;

/**
 * Returns whether this is one of the site's hosts. Unknown host names could poison links and
 * caches.
 */
export function isAllowedHost(host: string | undefined, allowed: readonly string[]): boolean {
  if (host === undefined) return false;
  const name = host.toLowerCase();
  if (allowed.includes(name)) return true;
  const colon = name.lastIndexOf(':');
  const port = name.slice(colon + 1);
  if (colon < 0 || !/^\d+$/.test(port) || Number(port) > highestPort) return false;
  return allowed.includes(name.slice(0, colon));
}

/**
 * Returns whether a request has two Host headers. Such requests are rejected (RFC 9112, 3.2),
 * because a proxy in front may have used the other one. Node keeps only the first in `headers`;
 * `rawHeaders` has both.
 */
export function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/**
 * Returns the configured scheme with the requested host, so that `localhost` and `127.0.0.1` both
 * work. Links use `ORIGIN`.
 */
export function visibleOrigin(host: string, env: Env): string {
  return `${new URL(env.origin).protocol}//${host.toLowerCase()}`;
}

export const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD']);
/** The known methods: pages are read, and forms are posted. */
export const knownMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

/**
 * The only paths that other origins may post to. Email clients do, authorized by a signed token
 * (RFC 8058).
 */
const oneClickPaths = new Set(['/unsubscribe/one-click', '/stop-mails/one-click']);

const bodyTypes = new Set(['application/x-www-form-urlencoded', 'multipart/form-data']);

/**
 * Returns the error status for a write request that another site made the browser send, or null.
 * Runs before any route.
 */
export function refuseUnsafeRequest(
  headers: Headers,
  ownOrigins: readonly string[],
  pathname: string,
): 403 | 415 | null {
  const { 'sec-fetch-site': site, origin } = headers;
  const namesOwn = origin !== undefined && ownOrigins.includes(origin);
  // A browser that sends `same-origin` sends our origin, or `null` because of `Referrer-Policy:
  // no-referrer`.
  const namesOther = origin !== undefined && origin !== 'null' && !namesOwn;
  const isOwn = site === undefined ? namesOwn : site === 'same-origin' && !namesOther;
  // Some browsers send reports without an origin, and reports only increase counters.
  const isReport = pathname === policyReportPath;
  const saysNothing = site === undefined && origin === undefined;
  // AI assistants are not browsers and send no Origin, but other sites' pages do.
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const isMcp = pathname === mcpPath;
  const isJson = type === 'application/json';
  // Mail providers are not browsers either. Their signature is verified later, with the body.
  const isMailReports = isMailReportsPath(pathname);
  const maySayNothing = isReport || isMailReports || (isMcp && isJson);
  if (!isOwn && !oneClickPaths.has(pathname) && !(maySayNothing && saysNothing)) return 403;
  if (type === undefined) return hasBody(headers) ? 415 : null;
  const isTaken = isReport
    ? isPolicyReportType(type)
    : isMailReports
      ? isMailReportType(type)
      : isMcp
        ? isJson
        : bodyTypes.has(type);
  if (!isTaken || headers['content-encoding'] !== undefined) return 415;
  return null;
}

/**
 * Returns a function that returns a visitor's IP address, or null if it is unknown. The trusted
 * ranges are parsed only once, because the function runs for every request.
 */
export function visitorAddress(trustedProxies: readonly string[]) {
  const isTrusted = addressRanges(trustedProxies);
  return (request: IncomingMessage): { address: string; isKnown: boolean } => {
    let address = plainAddress(request.socket.remoteAddress ?? '');
    let isKnown = ipaddr.isValid(address);
    if (!isTrusted(address)) return { address, isKnown };
    isKnown = false; // so far, only the proxy's address is known
    // Reads entries from the right: each trusted proxy vouches for the one before it. Entries left
    // of an untrusted one could be forged.
    const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
    while (isTrusted(address)) {
      const before = forwarded.pop()?.trim();
      if (before === undefined || !ipaddr.isValid(before)) break;
      address = plainAddress(before);
      isKnown = true;
    }
    return { address, isKnown };
  };
}

/** Returns an IPv4 address for an embedded one: `::ffff:10.0.0.1` → `10.0.0.1` */
function plainAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

/**
 * Returns whether the client runs on this server. A local proxy does too, but its forwarded
 * requests have a public host or a forwarding header.
 */
export function isLocalRequest(request: IncomingMessage): boolean {
  if (isPassedOn(request) || !isAllowedHost(request.headers.host, localNames)) return false;
  const address = plainAddress(request.socket.remoteAddress ?? '');
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback';
}

/**
 * Returns a predicate for a load balancer's own requests. Forwarded requests have a forwarding
 * header or a public host name.
 */
export function balancerRequest(env: Pick<Env, 'readyFrom' | 'allowedHosts'>) {
  const isBalancer = addressRanges(env.readyFrom);
  return (request: IncomingMessage): boolean => {
    const { host } = request.headers;
    const isPublicName = isAllowedHost(host, env.allowedHosts) && !isAllowedHost(host, localNames);
    if (isPassedOn(request) || isPublicName) return false;
    return isBalancer(request.socket.remoteAddress ?? '');
  };
}

const localNames = ['localhost', '127.0.0.1', '[::1]'];

function isPassedOn({ headers }: IncomingMessage): boolean {
  return headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
}
