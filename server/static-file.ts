import path from 'node:path';
import {
  type HeaderSet,
  scriptPolicy,
  serviceWorkerPolicy,
  strictPolicy,
} from '#server/security-headers.ts';
import { storeAnswer, type StoredAnswer } from '#server/stored-answer.ts';

const mediaTypes = {
  avif: 'image/avif',
  css: 'text/css; charset=utf-8',
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff2: 'font/woff2',
  xml: 'application/xml',
};

const types: Readonly<Record<string, string>> = mediaTypes;
/**
 * The service worker controls the whole site in visitors' browsers, so browsers must get a new
 * version immediately.
 */
const serviceWorker = '/sw.js';
export const forever = 'public, max-age=31536000, immutable';

/** The header for pictures, which email clients, feed readers and chats show on other hosts. */
export const shownElsewhere = { 'cross-origin-resource-policy': 'cross-origin' };

/** Returns the file as a response, or null if the site does not serve its type. */
export async function makeStaticFile(
  address: string,
  body: Buffer,
  base: HeaderSet,
): Promise<StoredAnswer | null> {
  const type = typeOf(address);
  if (type === undefined) return null;
  const headers = {
    ...base,
    ...fileHeaders(lastingOf(address), policyOf(address, type)),
    ...(type.startsWith('image/') && shownElsewhere),
    vary: 'accept-encoding',
  };
  return storeAnswer({ status: 200, body, type, headers, brotliQuality: 9 });
}

export function typeOf(address: string): string | undefined {
  return types[path.extname(address).slice(1)];
}

export function fileHeaders(lasting: string, policy: string) {
  return { 'cache-control': lasting, 'content-security-policy': policy };
}

function lastingOf(address: string): string {
  if (address === serviceWorker) return 'no-cache';
  return address.startsWith('/assets/') ? forever : 'public, max-age=3600';
}

function policyOf(address: string, type: string): string {
  if (address === serviceWorker) return serviceWorkerPolicy;
  return type.startsWith('text/javascript') ? scriptPolicy : strictPolicy;
}
