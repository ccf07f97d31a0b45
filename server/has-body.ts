import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request brings a body. One without is closed for reading from the start (`optimizeEmptyRequests`): whoever
 * waits for its end would wait in vain.
 */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
