import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { safeFetch } from '#app/platform/safe-fetch.server.ts';
import type { FeedSizeLimits } from '../formats/decode-feed.server.ts';
import { FeedError } from '../formats/feed-error.ts';

/** The origin of a feed: the operator's file, or an address that anyone may have entered. */
export type FeedSource =
  | { file: string }
  | { url: string; allowPrivate?: boolean }
  | {
      /** Fetches the feed first; `null` if it has not changed. */
      fetch: (signal: AbortSignal | undefined) => Promise<string | null>;
      name: string;
      sizeLimits: FeedSizeLimits;
    };

interface OpenedFeed {
  chunks: AsyncIterable<Uint8Array>;
  /** For the progress bar; `null` if unknown. */
  size: number | null;
  close(): void;
}

const megabyte = 1024 * 1024;
/** The operator put a file there; an address is untrusted. */
export const defaultSizeLimits: Record<'file' | 'url', FeedSizeLimits> = {
  file: { rawBytes: 2_048 * megabyte, unpackedBytes: 8_192 * megabyte },
  url: { rawBytes: 20 * megabyte, unpackedBytes: 100 * megabyte },
};

/** Returns the source's name for people, without its query, which may contain keys. */
export function nameFeedSource(source: FeedSource): string {
  if ('file' in source) return path.basename(source.file);
  if ('fetch' in source) return source.name;
  const url = URL.parse(source.url);
  return url ? `${url.host}${url.pathname}` : 'an address that cannot be read';
}

/** Throws a FeedError or a SafeFetchError, then or while its chunks are read. */
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
