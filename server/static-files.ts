import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { offlinePage, offlinePath } from '#server/offline-page.ts';
import { type HeaderSet, strictPolicy } from '#server/security-headers.ts';
import {
  fileHeaders,
  forever,
  makeStaticFile,
  shownElsewhere,
  typeOf,
} from '#server/static-file.ts';
import { isKnown, type StoredAnswer } from '#server/stored-answer.ts';
import type { Visit } from '#server/visit.ts';

/** The files of the built client by URL. Files outside this map are never served from disk. */
export type StaticFiles = ReadonlyMap<string, StoredAnswer>;

export async function loadStaticFiles(folder: string, base: HeaderSet): Promise<StaticFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, StoredAnswer>();
  const store = async (entry: Dirent) => {
    const file = path.join(entry.parentPath, entry.name);
    const address = `/${path.relative(folder, file).split(path.sep).join('/')}`;
    if (!entry.isFile() || address.includes('/.') || typeOf(address) === undefined) return;
    const answer = await makeStaticFile(address, await readFile(file), base);
    if (answer) files.set(address, answer);
  };
  // Reads files one after the other: four at a time briefly took 60 MB more memory, and startup was
  // no faster.
  for (const entry of entries) await store(entry);
  files.set(offlinePath, await offlinePage(base));
  return files;
}

/** Streams a stored picture. Returns false if there is none with that name. */
export async function serveMedia({ site, pathname, request, response }: Visit): Promise<boolean> {
  const name = pathname.slice('/media/'.length);
  const found = await site.media.find(name);
  if (!found) return false;
  // Visitors who bypass the gate must not cause pictures to be cached for others.
  const isPublic = site.gate?.isOpen ?? true;
  const lasting = isPublic ? forever : 'private, no-store';
  const etag = `"${path.basename(name)}"`; // The name contains a hash of the content.
  const headers = {
    ...site.base,
    ...fileHeaders(lasting, strictPolicy),
    ...(isPublic && shownElsewhere),
    etag,
  };
  if (isKnown(request.headers['if-none-match'], etag)) {
    response.writeHead(304, headers).end();
    return true;
  }
  const type = typeOf(name) ?? 'application/octet-stream';
  response.writeHead(200, { ...headers, 'content-type': type, 'content-length': found.bytes });
  if (request.method === 'HEAD') response.end();
  else await pipeline(found.read(), response).catch(() => response.destroy());
  return true;
}
