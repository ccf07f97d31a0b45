import type { IncomingMessage } from 'node:http';

/**
 * Calls `refuse` when a request has not come whole in `ms` (R24). Node has one such time for all requests, and that must
 * leave room for uploads. One without a body is whole when its headers are.
 */
export function limitRequestTime(request: IncomingMessage, ms: number, refuse: () => void): void {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
  if (length === '0' && coding === undefined) return;
  const timer = setTimeout(() => {
    if (!request.complete) refuse();
  }, ms);
  const stop = () => clearTimeout(timer);
  request.once('end', stop);
  request.once('close', stop);
}
