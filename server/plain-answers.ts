// Responses without a rendered page: errors, redirects or a line of text. Each function returns
// true, because it answers the request.
import {
  crossOriginHeaders,
  describeProblem,
  isApiPath,
  preflightHeaders,
  problemType,
} from '#app/platform/api-problem.ts';
import { errorPage } from '#server/error-page.ts';
import { plainPagePolicy } from '#server/plain-page.ts';
import { type HeaderSet, strictPolicy } from '#server/security-headers.ts';
import type { Visit } from '#server/visit.ts';

const strict = { 'content-security-policy': strictPolicy };
/** The Retry-After header of an overloaded site, in seconds. */
export const retrySoon = { 'retry-after': '2' };
/**
 * The header that closes the connection, because the rest of an unread body would be parsed as the
 * next request.
 */
export const connectionClose = { connection: 'close' };

/** Sends a response. `more` contains additional headers, including the content policy. */
export function send(
  { site, request, response }: Visit,
  status: number,
  type: string,
  text: string,
  more: HeaderSet = strict,
): true {
  response.writeHead(status, {
    ...site.base,
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'private, no-store',
    ...more,
  });
  response.end(request.method === 'HEAD' ? undefined : text);
  return true;
}

export function sendText(visit: Visit, status: number, text: string): true {
  return send(visit, status, 'text/plain; charset=utf-8', text);
}

/**
 * Sends an error page, or problem details to API clients. Does nothing once a response has begun.
 */
export function refuse(visit: Visit, status: number, headers: HeaderSet = {}): true {
  const { site, request, response, id } = visit;
  if (response.headersSent) {
    response.destroy();
    return true;
  }
  const told = {
    ...(status === 503 && { 'retry-after': '5' }),
    ...(!request.complete && connectionClose),
    ...headers,
  };
  if (isApiPath((request.url ?? '').split('?', 1)[0] ?? '')) {
    const problem = describeProblem(status, { origin: site.services.env.origin, reference: id });
    return send(visit, status, problemType, problem, { ...crossOriginHeaders, ...told, ...strict });
  }
  const more = { 'content-security-policy': plainPagePolicy, ...told };
  return send(visit, status, 'text/html; charset=utf-8', errorPage(status, id), more);
}

export function redirect({ site, response }: Visit, location: string): true {
  const headers = { location, ...strict, 'cache-control': 'public, max-age=3600' };
  response.writeHead(301, { ...site.base, ...headers }).end();
  return true;
}

export function sendPreflight({ site, response }: Visit): true {
  response.writeHead(204, { ...site.base, ...strict, ...preflightHeaders }).end();
  return true;
}
