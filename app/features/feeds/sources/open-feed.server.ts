import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { safeFetch } from '#app/platform/safe-fetch.server.ts';
import type { FeedSizeLimits } from '../formats/decode-feed.server.ts';
import { FeedError } from '../formats/feed-error.ts';

/** Where a feed comes from: a file of the operator's, or an address that anybody may have entered. */
export type FeedSource =
  | { file: string }
  | { url: string; allowPrivate?: boolean }
  | {
      /** Brings the feed here first; null when it is the same as the last time. */
      fetch: (signal: AbortSignal | undefined) => Promise<string | null>;
      name: string;
      sizeLimits: FeedSizeLimits;
    };

interface OpenedFeed {
  chunks: AsyncIterable<Uint8Array>;
  /** For the progress bar; null where the sender does not say. */
  size: number | null;
  close(): void;
}

const megabyte = 1024 * 1024;
/** A file was put there by whoever runs the site; an address is a stranger's. */
export const defaultSizeLimits: Record<'file' | 'url', FeedSizeLimits> = {
  file: { rawBytes: 2_048 * megabyte, unpackedBytes: 8_192 * megabyte },
  url: { rawBytes: 20 * megabyte, unpackedBytes: 100 * megabyte },
};

/** How people are told of it: no query, since that is where keys are. */
export function nameFeedSource(source: FeedSource): string {
  if ('file' in source) return path.basename(source.file);
  if ('fetch' in source) return source.name;
  const url = URL.parse(source.url);
  return url ? `${url.host}${url.pathname}` : 'an address that cannot be read';
}

/** Throws a FeedError, or a SafeFetchError, then or while its chunks are read. */
export async function openFeed(
  source: Exclude<FeedSource, { name: string }>,
  limits: FeedSizeLimits,
  signal?: AbortSignal,
): Promise<OpenedFeed> {
  if ('file' in source) return openFile(source.file);
  const { body, length } = await safeFetch(source.url, {
    maxBytes: limits.unpackedBytes,
    maxRawBytes: limits.rawBytes,
    timeoutMs: 60_000,
    allowPrivate: source.allowPrivate,
    signal,
  });
  return { chunks: body, size: length, close: () => body.destroy() };
}

export async function openFile(file: string): Promise<OpenedFeed> {
  const found = await stat(file).catch((error: unknown) => {
    throw new FeedError(`the file cannot be read: ${file}`, { cause: error });
  });
  if (!found.isFile()) throw new FeedError(`this is not a file: ${file}`);
  const stream = createReadStream(file);
  return { chunks: stream, size: found.size, close: () => stream.destroy() };
}
