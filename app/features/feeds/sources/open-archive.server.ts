import { open } from 'node:fs/promises';
import type { Entry, ZipFile } from 'yauzl';
import { type FeedSizeLimits, refuseBomb } from '../formats/decode-feed.server.ts';
import { FeedError } from '../formats/feed-error.ts';

/** A file in an archive. */
export interface ArchivedFile {
  name: string;
  /** The uncompressed size in bytes. */
  size: number;
  chunks(): AsyncIterable<Uint8Array>;
}

export interface OpenArchive {
  /** The feeds in the archive, by name. */
  files: ArchivedFile[];
  close(): void;
}

const mostFiles = 1_000;

/** Whether this file is a ZIP archive, according to its first bytes. */
export async function isArchive(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    // The second signature is that of an empty archive.
    return bytesRead === 4 && [0x504b0304, 0x504b0506].includes(buffer.readUInt32BE(0));
  } finally {
    await handle.close();
  }
}

/**
 * Opens a ZIP archive. All sizes are checked before anything is decompressed, and each file is
 * checked against its declared size while it is read.
 */
export async function openArchive(file: string, limits?: FeedSizeLimits): Promise<OpenArchive> {
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(file, { autoClose: false, lazyEntries: true }).catch(damaged);
  try {
    const entries = await listFeeds(zip);
    if (limits) refuseLarge(entries, zip.fileSize, limits);
    const files = entries.map((entry) => ({
      name: entry.fileName,
      size: entry.uncompressedSize,
      chunks: () => unpack(zip, entry),
    }));
    return { files, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function* unpack(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  try {
    yield* await zip.openReadStreamPromise(entry);
  } catch (error) {
    damaged(error);
  }
}

/** Returns the files that may be feeds, excluding folders, hidden files and empty files. */
async function listFeeds(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  if (zip.entryCount > mostFiles) {
    throw new FeedError(`the archive has more than ${mostFiles.toLocaleString('en-US')} files`);
  }
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName: name } = entry;
      if (entry.uncompressedSize === 0 || /(?:^|\/)(?:\.|__MACOSX\/)|\/$/.test(name)) continue;
      if (entry.isEncrypted()) {
        throw new FeedError(`the file ${name} in the archive has a password`);
      }
      entries.push(entry);
    }
  } catch (error) {
    damaged(error);
  }
  if (entries.length === 0) throw new FeedError('the archive contains no file');
  return entries.toSorted((a, b) => (a.fileName < b.fileName ? -1 : 1));
}

/** Files may share compressed bytes, so the size of the archive itself is limited, too. */
function refuseLarge(
  entries: readonly Entry[],
  packed: number,
  { rawBytes, unpackedBytes }: FeedSizeLimits,
): void {
  const unpacked = entries.reduce((total, entry) => total + entry.uncompressedSize, 0);
  const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;
  if (packed > rawBytes) throw new FeedError(`the feed is larger than ${megabytes(rawBytes)}`);
  if (unpacked > unpackedBytes) {
    throw new FeedError(`the feed is larger than ${megabytes(unpackedBytes)} unpacked`);
  }
  refuseBomb(unpacked, packed);
}

function damaged(error: unknown): never {
  if (error instanceof FeedError) throw error;
  throw new FeedError('the ZIP archive is damaged or cut off', { cause: error });
}
