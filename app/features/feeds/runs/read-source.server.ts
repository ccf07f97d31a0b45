import type { FeedSizeLimits } from '../formats/decode-feed.server.ts';
import type { FeedEncoding } from '../formats/feed-encodings.ts';
import type { FeedFormat, FeedMapping } from '../formats/feed-fields.ts';
import type { MappingFile } from '../formats/feed-formats.server.ts';
import type { ImportSteps } from './import-steps.ts';
import { FeedError } from '../formats/feed-error.ts';
import { sourceSizeLimits } from '../sources/feed-files.server.ts';
import { type FeedSource, type OpenedParts, openParts } from '../sources/open-feed.server.ts';
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
  /** Whether to accept rows with only an id. */
  updatesOnly?: boolean;
  /** Aborts the import after the current batch. */
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
  sizeLimits ??= sourceSizeLimits;
  yield { phase: 'reading' };
  const opened = await openParts(found, sizeLimits, options.signal);
  let bytesRead = 0;
  const count = (bytes: number) => (bytesRead += bytes);
  let isRead = false;
  try {
    const [first, ...others] = opened.parts;
    if (!first) throw new Error('a feed has no parts');
    const isOne = others.length === 0;
    const feeds: OpenFeed[] = [];
    const read = async (part: Part) => {
      const feed = await readPart(part, options, { isOne, count });
      feeds.push(feed);
      return feed;
    };
    const feed = await read(first);
    const { rows, isSupplement } = feed;
    yield { format: feed.format, encoding: feed.encoding, bytesTotal: opened.size };
    isRead = true;
    return {
      rows: isOne ? rows : inTurn(nameErrors(first, rows), others, read),
      isSupplement,
      notes: () => feeds.flatMap((one) => one.notes()),
      encoding: () => feed.encoding,
      bytesRead: () => bytesRead,
      close: () => opened.close(),
    };
  } finally {
    if (!isRead) opened.close();
  }
}

type Part = OpenedParts['parts'][number];

/**
 * Starts reading one file. The chosen product element is that of the first file in an archive. A
 * file without this element uses its own.
 */
async function readPart(
  part: Part,
  options: ReadOptions,
  { isOne, count }: { isOne: boolean; count(bytes: number): void },
): Promise<OpenFeed> {
  async function* counted() {
    for await (const chunk of part.chunks()) {
      count(chunk.byteLength);
      yield chunk;
    }
  }
  const read = (place: string | undefined) =>
    readFeed(counted(), {
      ...options,
      place,
      file: options.mappingFile ?? null,
      sizeLimits: part.sizeLimits,
    });
  if (isOne) return read(options.place);
  try {
    const feed = await read(options.place);
    const isElsewhere = options.place !== undefined && feed.places.length > 0;
    if (!isElsewhere || feed.places.includes(options.place ?? '')) return feed;
    await feed.rows.return(undefined);
    return await read(undefined);
  } catch (error) {
    throw namedError(part, error);
  }
}

/** Reads the files of an archive one after another. */
async function* inTurn(
  first: OpenFeed['rows'],
  others: readonly Part[],
  read: (part: Part) => Promise<OpenFeed>,
): OpenFeed['rows'] {
  yield* first;
  for (const part of others) {
    const { rows } = await read(part);
    yield* nameErrors(part, rows);
  }
}

async function* nameErrors(part: Part, rows: OpenFeed['rows']): OpenFeed['rows'] {
  try {
    yield* rows;
  } catch (error) {
    throw namedError(part, error);
  }
}

function namedError({ name }: Part, error: unknown): unknown {
  return error instanceof FeedError
    ? new FeedError(`${name}: ${error.message}`, { cause: error })
    : error;
}
