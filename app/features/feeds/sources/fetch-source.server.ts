import { safeFetch, SafeFetchError } from '#app/platform/safe-fetch.server.ts';
import { FeedError } from '../formats/feed-error.ts';
import {
  feedFilePath,
  findWatchedFile,
  storeFeedFile,
  uploadSizeLimits,
} from './feed-files.server.ts';
import type { FeedSourceRow } from './feed-source-queries.server.ts';

/**
 * `copy` is the name of our copy, which is removed after the run; `null` for a file in a watched
 * folder.
 */
export type FetchedFeed = NonNullable<Awaited<ReturnType<typeof fetchSource>>>;

/**
 * Fetches a source's feed: from its address, with ETag and Last-Modified, or from its folder.
 * Returns `null` if it has not changed since the last run.
 */
export async function fetchSource(
  source: Pick<FeedSourceRow, 'kind' | 'location' | 'etag' | 'last_modified'>,
  options: {
    dataDir: string;
    now: Date;
    signal?: AbortSignal | undefined;
    /** Fetches even an unchanged feed, because a person started this run. */
    isForced?: boolean;
    allowPrivate?: boolean;
  },
) {
  const { dataDir, now, isForced = false } = options;
  if (source.kind === 'upload')
    throw new FeedError('the uploaded file no longer exists; upload it again');
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
