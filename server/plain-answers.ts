// Answers that no page makes: errors, redirects, a line of text.
import {
  crossOriginHeaders,
  describeProblem,
  isApiPath,
  preflightHeaders,
  problemType,
} from '#app/platform/api-problem.ts';
import { errorPage } from '#server/error-page.ts';
import { plainPagePolicy } from '#server/plain-page.ts';
import { strictPolicy } from '#server/security-headers.ts';
import type { Visit } from '#server/visit.ts';

const strict = ['content-security-policy', strictPolicy];
/** For when the site has too much to do. */
export const retrySoon = ['retry-after', '2'];

/** `more` are names and values of headers, the content policy among them. */
export function send(
  { site, request, response }: Visit,
  status: number,
  type: string,
  text: string,
  more: readonly string[] = strict,
): void {
  const length = String(Buffer.byteLength(text));
  const headers = ['content-type', type, 'content-length', length, ...notKept, ...more];
  response.writeHead(status, [...site.base, ...headers]);
  response.end(request.method === 'HEAD' ? undefined : text);
}

export function sendText(visit: Visit, status: number, text: string): void {
  send(visit, status, 'text/plain; charset=utf-8', text);
}

/** A page that says what went wrong, to programs in the API's words; nothing where an answer has begun. */
export function refuse(visit: Visit, status: number, headers: readonly string[] = []): void {
  const { site, request, response, id } = visit;
  if (response.headersSent) return void response.destroy();
  const told = [...headers];
  if (!request.complete) told.push(...connectionClose);
  if (status === 503 && !told.includes('retry-after')) told.push('retry-after', '5');
  if (isApiPath((request.url ?? '').split('?', 1)[0] ?? '')) {
    const { origin } = site.services.env;
    const problem = describeProblem(status, { origin, reference: id });
    const more = [...Object.entries(crossOriginHeaders).flat(), ...told, ...strict];
    return send(visit, status, problemType, problem, more);
  }
  const more = ['content-security-policy', plainPagePolicy, ...told];
  send(visit, status, 'text/html; charset=utf-8', errorPage(status, id), more);
}

export function redirect({ site, response }: Visit, location: string): void {
  const headers = ['location', location, ...strict, 'cache-control', 'public, max-age=3600'];
  response.writeHead(301, [...site.base, ...headers]).end();
}

export function sendPreflight({ site, response }: Visit): void {
  const headers = [...strict, ...Object.entries(preflightHeaders).flat()];
  response.writeHead(204, [...site.base, ...headers]).end();
}

const notKept = ['cache-control', 'private, no-store'];
/** What is left of an unread body would be taken for the next request. */
export const connectionClose = ['connection', 'close'];
