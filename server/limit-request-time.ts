import type { IncomingMessage } from 'node:http';
import { hasBody } from '#server/has-body.ts';

/**
 * Calls `refuse` if a request is incomplete after `ms`. Node's own limit is the same for all
 * requests, and must allow uploads.
 */
export function limitRequestTime(request: IncomingMessage, ms: number, refuse: () => void): void {
  if (!hasBody(request.headers)) return;
  const timer = setTimeout(() => {
    if (!request.complete) refuse();
  }, ms);
  const stop = () => clearTimeout(timer);
  request.once('end', stop);
  request.once('close', stop);
}
