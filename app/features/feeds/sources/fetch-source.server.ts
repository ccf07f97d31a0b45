import { safeFetch, SafeFetchError } from '#app/platform/safe-fetch.server.ts';
import { FeedError } from '../formats/feed-error.ts';
import { refuseLargeDownload } from './disk-space.server.ts';
import {
  feedFilePath,
  findWatchedFile,
  mostOf,
  sourceSizeLimits,
  storeFeedFile,
} from './feed-files.server.ts';
import { type FeedSignIn, signInHeaders } from './feed-sign-in.server.ts';
import type { FeedSourceRow } from './feed-source-queries.server.ts';
import type { FileServerOptions, RemoteFile } from './file-server.server.ts';
import { requireProgress } from './require-progress.ts';
import { schemeOf } from './source-address.ts';

/**
 * A fetched feed. `copy` is the name of our copy, which is removed after the run, or `null` for a
 * file in a watched folder.
 */
export interface FetchedFeed {
  path: string;
  copy: string | null;
  /** Whether the copy contains only the beginning of the feed. */
  isCut: boolean;
  marks: { etag: string | null; last_modified: string | null };
  /** The key of an SFTP server, to be pinned. */
  hostKey: string | null;
}

type Fetchable = Pick<FeedSourceRow, 'kind' | 'location' | 'etag' | 'last_modified' | 'host_key'>;

export interface FetchOptions {
  dataDir: string;
  now: Date;
  signIn?: FeedSignIn | null;
  signal?: AbortSignal | undefined;
  /** Whether to fetch even an unchanged feed, because a person started this run. */
  isForced?: boolean;
  allowPrivate?: boolean;
  /** The maximum number of bytes to store, for a preview. A ZIP archive is stored completely. */
  cutAt?: number;
}

const answerWithinMs = 60_000;

/**
 * Fetches a source's feed from its folder or URL. Over HTTP, ETag and Last-Modified detect changes;
 * on file servers, the file's size and time do. Returns `null` if the feed has not changed since
 * the last run.
 */
export async function fetchSource(
  source: Fetchable,
  options: FetchOptions,
): Promise<FetchedFeed | null> {
  const { dataDir, now, isForced = false } = options;
  if (source.kind === 'upload')
    throw new FeedError('the uploaded file no longer exists; upload it again');
  if (source.kind === 'folder') {
    const file = await findWatchedFile(dataDir, source.location, now);
    if (file.mark === source.etag && !isForced) return null;
    const marks = { etag: file.mark, last_modified: null };
    return { path: file.path, copy: null, isCut: false, marks, hostKey: null };
  }
  const scheme = schemeOf(source.location);
  return scheme === 'http' || scheme === 'https'
    ? fetchByHttp(source, options)
    : fetchFromServer(source, options);
}

async function fetchByHttp(source: Fetchable, options: FetchOptions): Promise<FetchedFeed | null> {
  const { isForced = false, signIn = null } = options;
  const since = {
    ...(source.etag ? { 'if-none-match': source.etag } : {}),
    ...(source.last_modified ? { 'if-modified-since': source.last_modified } : {}),
  };
  try {
    const answer = await safeFetch(source.location, {
      maxBytes: sourceSizeLimits.unpackedBytes,
      maxRawBytes: sourceSizeLimits.rawBytes,
      timeoutMs: answerWithinMs,
      limitsPauses: true,
      allowNotModified: true,
      signal: options.signal,
      allowPrivate: options.allowPrivate,
      // Redirects from a private host to other private hosts are not allowed.
      ...(options.allowPrivate && { allowHosts: [URL.parse(source.location)?.hostname ?? ''] }),
      headers: { ...(isForced ? {} : since), ...signInHeaders(signIn) },
    });
    const { body, length } = answer;
    if (answer.status === 304) {
      body.destroy();
      return null;
    }
    const stored = await store(body, length, () => body.destroy(), options);
    const marks = { etag: answer.etag, last_modified: answer.lastModified };
    return { ...stored, marks, hostKey: null };
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error;
    const isRefused = /responded with status 40[13]$/.test(error.message);
    const words = isRefused ? `${error.message}: check the user name, password or token` : null;
    throw new FeedError(words ?? error.message, { cause: error });
  }
}

async function fetchFromServer(
  source: Fetchable,
  options: FetchOptions,
): Promise<FetchedFeed | null> {
  const { signIn = null, isForced = false, allowPrivate, signal } = options;
  const reach = { signIn, allowPrivate, signal, hostKey: source.host_key };
  const file = await openRemote(source.location, reach);
  try {
    const { mark, size, hostKey } = file;
    if (mark !== null && mark === source.etag && !isForced) return null;
    if (size !== null && size > sourceSizeLimits.rawBytes) {
      throw new FeedError(`the file is larger than ${mostOf(sourceSizeLimits.rawBytes)}`);
    }
    const stored = await store(file.start(), size, () => file.close(), options);
    return { ...stored, marks: { etag: mark, last_modified: null }, hostKey };
  } finally {
    file.close();
  }
}

async function openRemote(location: string, options: FileServerOptions): Promise<RemoteFile> {
  if (schemeOf(location) === 'sftp') {
    const { openBySftp } = await import('./fetch-sftp.server.ts');
    return openBySftp(location, options);
  }
  const { openByFtp } = await import('./fetch-ftp.server.ts');
  return openByFtp(location, options);
}

/** Stores a download as long as it makes progress and there is disk space. */
async function store(
  chunks: AsyncIterable<Uint8Array>,
  size: number | null,
  stop: () => void,
  { dataDir, cutAt }: FetchOptions,
) {
  if (size !== null && cutAt === undefined) await refuseLargeDownload(dataDir, size);
  let isCut = false;
  async function* kept(): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    let isArchive: boolean | null = null;
    for await (const chunk of requireProgress(chunks, stop)) {
      isArchive ??= chunk[0] === 0x50 && chunk[1] === 0x4b;
      bytes += chunk.byteLength;
      yield chunk;
      if (cutAt === undefined || isArchive || bytes < cutAt) continue;
      isCut = true;
      stop();
      return;
    }
  }
  const copy = await storeFeedFile(dataDir, kept(), sourceSizeLimits.unpackedBytes);
  return { path: feedFilePath(dataDir, copy), copy, isCut };
}
