import type { FeedSizeLimits } from '../formats/decode-feed.server.ts';
import type { FeedEncoding } from '../formats/feed-encodings.ts';
import type { FeedFormat, FeedMapping } from '../formats/feed-fields.ts';
import type { MappingFile } from '../formats/feed-formats.server.ts';
import type { ImportSteps } from './import-steps.ts';
import { defaultSizeLimits, type FeedSource, openFeed } from '../sources/open-feed.server.ts';
import { type OpenFeed, readFeed } from '../formats/read-feed.server.ts';

export interface ReadOptions {
  format?: FeedFormat;
  mapping?: FeedMapping;
  /** The chosen element or list of products. */
  place?: string | undefined;
  mappingFile?: MappingFile | null;
  /** The chosen encoding; by default, it is detected. */
  encoding?: FeedEncoding | undefined;
  sizeLimits?: FeedSizeLimits;
  /** Accepts rows with an id only. */
  updatesOnly?: boolean;
  /** Ends the import after the current batch. */
  signal?: AbortSignal;
}

interface FeedBeingRead extends Pick<OpenFeed, 'rows' | 'isSupplement'> {
  encoding(): string;
  notes(): string[];
  bytesRead(): number;
  close(): void;
}

/** Fetches the feed if needed, and starts reading it. Returns `null` if it has not changed. */
export async function* readSource(
  source: FeedSource,
  options: ReadOptions,
): ImportSteps<FeedBeingRead | null> {
  let found = source;
  let { sizeLimits } = options;
  if ('fetch' in found) {
    yield { phase: 'fetching' };
    const file = await found.fetch(options.signal);
    if (file === null) return null;
    sizeLimits ??= found.sizeLimits;
    found = { file };
  }
  sizeLimits ??= defaultSizeLimits['file' in found ? 'file' : 'url'];
  yield { phase: 'reading' };
  const opened = await openFeed(found, sizeLimits, options.signal);
  let bytesRead = 0;
  async function* counted() {
    for await (const chunk of opened.chunks) {
      bytesRead += chunk.byteLength;
      yield chunk;
    }
  }
  let isRead = false;
  try {
    const feed = await readFeed(counted(), {
      ...options,
      file: options.mappingFile ?? null,
      sizeLimits,
    });
    yield { format: feed.format, encoding: feed.encoding, bytesTotal: opened.size };
    isRead = true;
    const { rows, notes, isSupplement } = feed;
    return {
      rows,
      isSupplement,
      notes,
      encoding: () => feed.encoding,
      bytesRead: () => bytesRead,
      close: () => opened.close(),
    };
  } finally {
    if (!isRead) opened.close();
  }
}
