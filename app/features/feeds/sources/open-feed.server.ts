import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { safeFetch } from '#app/platform/safe-fetch.server.ts';
import type { FeedSizeLimits } from '../formats/decode-feed.server.ts';
import { requireProgress } from './require-progress.ts';
import { isArchive, openArchive } from './open-archive.server.ts';
import { FeedError } from '../formats/feed-error.ts';

/** The origin of a feed: the operator's file, or a URL that anyone may have entered. */
export type FeedSource =
  | { file: string }
  | { url: string; allowPrivate?: boolean }
  | {
      /** Fetches the feed first. Returns `null` if it has not changed. */
      fetch: (signal: AbortSignal | undefined) => Promise<string | null>;
      name: string;
      sizeLimits: FeedSizeLimits;
    };

interface OpenedFeed {
  chunks: AsyncIterable<Uint8Array>;
  /** The size for the progress bar; `null` if unknown. */
  size: number | null;
  close(): void;
}

/** Returns a readable name of the source, without the URL's query, which may contain keys. */
export function nameFeedSource(source: FeedSource): string {
  if ('file' in source) return path.basename(source.file);
  if ('fetch' in source) return source.name;
  const url = URL.parse(source.url);
  return url ? `${url.host}${url.pathname}` : 'an address that cannot be read';
}

/** A feed that consists of one file or of all files in an archive. */
export interface OpenedParts {
  parts: {
    /** The file's name within an archive. */
    name: string | null;
    sizeLimits: FeedSizeLimits;
    chunks(): AsyncIterable<Uint8Array>;
  }[];
  /** The size for the progress bar; `null` if unknown. */
  size: number | null;
  close(): void;
}

/**
 * Opens a feed. Throws a FeedError or a SafeFetchError, either immediately or while chunks are
 * read.
 */
export async function openParts(
  source: Exclude<FeedSource, { name: string }>,
  sizeLimits: FeedSizeLimits,
  signal?: AbortSignal,
): Promise<OpenedParts> {
  if ('file' in source && (await isReadableArchive(source.file))) {
    const { files, close } = await openArchive(source.file, sizeLimits);
    // The archive as a whole was checked, so only the uncompressed size of each file is limited
    // here.
    const { unpackedBytes } = sizeLimits;
    const each = { rawBytes: unpackedBytes, unpackedBytes };
    const size = files.reduce((sum, file) => sum + file.size, 0);
    return { parts: files.map((file) => ({ ...file, sizeLimits: each })), size, close };
  }
  const { chunks, size, close } = await openFeed(source, sizeLimits, signal);
  const whole = { name: null, sizeLimits, chunks: () => chunks };
  return { parts: [whole], size, close };
}

/** Returns false if the file cannot be read, which `openFile` reports. */
function isReadableArchive(file: string): Promise<boolean> {
  return isArchive(file).catch(() => false);
}

async function openFeed(
  source: Exclude<FeedSource, { name: string }>,
  limits: FeedSizeLimits,
  signal?: AbortSignal,
): Promise<OpenedFeed> {
  if ('file' in source) return openFile(source.file);
  const { body, length } = await safeFetch(source.url, {
    maxBytes: limits.unpackedBytes,
    maxRawBytes: limits.rawBytes,
    timeoutMs: 60_000,
    limitsPauses: true,
    allowPrivate: source.allowPrivate,
    signal,
  });
  const close = () => void body.destroy();
  return { chunks: requireProgress(body, close), size: length, close };
}

export async function openFile(file: string): Promise<OpenedFeed> {
  const found = await stat(file).catch((error: unknown) => {
    throw new FeedError(`the file cannot be read: ${file}`, { cause: error });
  });
  if (!found.isFile()) throw new FeedError(`this is not a file: ${file}`);
  const stream = createReadStream(file);
  return { chunks: stream, size: found.size, close: () => stream.destroy() };
}
