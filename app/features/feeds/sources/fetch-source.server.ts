import { safeFetch, SafeFetchError } from '#app/platform/safe-fetch.server.ts';
import { FeedError } from '../formats/feed-error.ts';
import {
  feedFilePath,
  findWatchedFile,
  storeFeedFile,
  uploadSizeLimits,
} from './feed-files.server.ts';
import type { FeedSourceRow } from './feed-source-queries.server.ts';

/** `copy` is the name of our own copy, which is removed after the run; null for a watched folder's file. */
export type FetchedFeed = NonNullable<Awaited<ReturnType<typeof fetchSource>>>;

/**
 * Brings a source's feed here: from its address, where nothing is sent that we have already (ETag, Last-Modified), or
 * from its folder. Null when it is the one of the last run.
 */
export async function fetchSource(
  source: Pick<FeedSourceRow, 'kind' | 'location' | 'etag' | 'last_modified'>,
  options: {
    dataDir: string;
    now: Date;
    signal?: AbortSignal | undefined;
    /** Fetch it even if it is the same: somebody asked for this very run. */
    isForced?: boolean;
    allowPrivate?: boolean;
  },
) {
  const { dataDir, now, isForced = false } = options;
  if (source.kind === 'upload') throw new FeedError('the uploaded file is gone; upload it again');
  if (source.kind === 'folder') {
    const file = await findWatchedFile(dataDir, source.location, now);
    if (file.mark === source.etag && !isForced) return null;
    return { path: file.path, copy: null, marks: { etag: file.mark, last_modified: null } };
  }
  const since = {
    ...(source.etag ? { 'if-none-match': source.etag } : {}),
    ...(source.last_modified ? { 'if-modified-since': source.last_modified } : {}),
  };
  try {
    const answer = await safeFetch(source.location, {
      maxBytes: uploadSizeLimits.unpackedBytes,
      maxRawBytes: uploadSizeLimits.rawBytes,
      timeoutMs: 60_000,
      allowNotModified: true,
      signal: options.signal,
      allowPrivate: options.allowPrivate,
      headers: isForced ? {} : since,
    });
    if (answer.status === 304) {
      answer.body.destroy();
      return null;
    }
    const copy = await storeFeedFile(dataDir, answer.body, uploadSizeLimits.unpackedBytes);
    const marks = { etag: answer.etag, last_modified: answer.lastModified };
    return { path: feedFilePath(dataDir, copy), copy, marks };
  } catch (error) {
    if (error instanceof SafeFetchError) throw new FeedError(error.message, { cause: error });
    throw error;
  }
}
