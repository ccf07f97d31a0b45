import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns whether a request has a body. With `optimizeEmptyRequests`, a request without one emits
 * no `end` event, so waiting for it would never finish.
 */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
