import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns whether a request has a body. With `optimizeEmptyRequests`, a request without one is
 * closed for reading from the start, so waiting for its end would never finish.
 */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
