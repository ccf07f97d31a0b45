import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { offlinePage, offlinePath } from '#server/offline-page.ts';
import {
  type HeaderSet,
  scriptPolicy,
  serviceWorkerPolicy,
  strictPolicy,
} from '#server/security-headers.ts';
import { isKnown, storeAnswer, type StoredAnswer } from '#server/stored-answer.ts';
import type { Visit } from '#server/visit.ts';

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
/** It answers for the whole site in its visitors' browsers, so they must hear of a new one at once. */
const serviceWorker = '/sw.js';
const forever = 'public, max-age=31536000, immutable';

/** The built client by address. Nothing that is not in this map is ever served from the disk (R44). */
export type StaticFiles = ReadonlyMap<string, StoredAnswer>;

export async function loadStaticFiles(folder: string, base: HeaderSet): Promise<StaticFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, StoredAnswer>();
  const store = async (entry: Dirent) => {
    const file = path.join(entry.parentPath, entry.name);
    const address = `/${path.relative(folder, file).split(path.sep).join('/')}`;
    const type = types[path.extname(entry.name).slice(1)];
    if (!entry.isFile() || type === undefined || address.includes('/.')) return;
    const answer = await storeAnswer({
      status: 200,
      body: await readFile(file),
      type,
      headers: {
        ...base,
        ...fileHeaders(lastingOf(address), policyOf(address, type)),
        vary: 'accept-encoding',
      },
      brotliQuality: 9,
    });
    files.set(address, answer);
  };
  // One after the other: four at once took 60 MB more for a moment, and the site was ready no sooner.
  for (const entry of entries) await store(entry);
  files.set(offlinePath, await offlinePage(base));
  return files;
}

/** Streams a stored picture. Answers false when there is none of that name. */
export async function serveMedia({ site, pathname, request, response }: Visit): Promise<boolean> {
  const name = pathname.slice('/media/'.length);
  const found = await site.media.find(name);
  if (!found) return false;
  const etag = `"${path.basename(name)}"`; // the name holds the content's hash
  const headers = {
    ...site.base,
    ...fileHeaders(forever, strictPolicy),
    // Mails are read on the pages of other hosts.
    ...(name.startsWith('newsletter/') && { 'cross-origin-resource-policy': 'cross-origin' }),
    etag,
  };
  if (isKnown(request.headers['if-none-match'], etag)) {
    response.writeHead(304, headers).end();
    return true;
  }
  const type = types[path.extname(name).slice(1)] ?? 'application/octet-stream';
  response.writeHead(200, { ...headers, 'content-type': type, 'content-length': found.bytes });
  if (request.method === 'HEAD') response.end();
  else await pipeline(found.read(), response).catch(() => response.destroy());
  return true;
}

function fileHeaders(lasting: string, policy: string) {
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
