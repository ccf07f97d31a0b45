import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { addressRanges } from '#app/platform/address-ranges.ts';

const idBytes = 9;
const randomPool = Buffer.alloc(idBytes * 512);
let usedOfPool = randomPool.length;

/**
 * Returns a twelve-character id. Generates random bytes for many ids at once, because a call per id
 * would cost more than serving a cached page.
 */
export function createRequestId(): string {
  if (usedOfPool === randomPool.length) {
    randomFillSync(randomPool);
    usedOfPool = 0;
  }
  return randomPool.toString('base64url', usedOfPool, (usedOfPool += idBytes));
}

/** W3C Trace Context, version 00: `00-TRACE-PARENT-FLAGS`. */
const traceparent = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * Returns a function that creates the request id used in all logs: the trace id from a trusted
 * proxy, or a new one.
 */
export function requestIds(trustedProxies: readonly string[]) {
  const isTrusted = addressRanges(trustedProxies);
  return ({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string => {
    const [, trace] = traceparent.exec(String(headers.traceparent ?? '')) ?? [];
    return trace && isTrusted(socket.remoteAddress ?? '') ? trace : createRequestId();
  };
}
