import type { IncomingMessage } from 'node:http';

/** Calls `refuse` when a request is not whole after `ms` (R24). Node has only one limit, which leaves room for uploads. */
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
