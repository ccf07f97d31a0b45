import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '#database/error-code.ts';
import { FeedError } from '../formats/feed-error.ts';

const folder = 'imports';
const mebibyte = 1024 * 1024;
export const mostUploadBytes = 20 * mebibyte;
/** Limits of a source with a URL or a folder. */
export const sourceSizeLimits = {
  rawBytes: 2_048 * mebibyte,
  unpackedBytes: 8_192 * mebibyte,
};
/**
 * A limit against endless feeds, in rows. The size limits and the free disk space end a run much
 * earlier.
 */
export const mostSourceRows = 20_000_000;
/** The limit for uploads is lower, since a user waits for each. */
export const mostUploadRows = 50_000;
export const uploadSizeLimits = { rawBytes: mostUploadBytes, unpackedBytes: 100 * mebibyte };

/**
 * Returns the path of a stored copy. Its name in the database was chosen by us, never by a user,
 * and is relative to the data folder.
 */
export function feedFilePath(dataDir: string, file: string): string {
  return path.join(dataDir, folder, path.basename(file));
}

/**
 * Stores a feed until its run, and returns its file name. Nothing remains of a feed that is too
 * large or interrupted.
 */
export async function storeFeedFile(
  dataDir: string,
  body: AsyncIterable<Uint8Array>,
  most: number = mostUploadBytes,
): Promise<string> {
  await mkdir(path.join(dataDir, folder), { recursive: true, mode: 0o700 });
  const name = `${randomUUID()}.feed`;
  const file = feedFilePath(dataDir, name);
  let bytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > most) throw new FeedError(`the file is larger than ${mostOf(most)}`);
      yield chunk;
    }
  }
  try {
    await pipeline(Readable.from(counted()), createWriteStream(file, { mode: 0o600 }));
  } catch (error) {
    await rm(file, { force: true });
    if (errorCode(error) !== 'ENOSPC') throw error;
    throw new FeedError('the disk of the server is full', { cause: error });
  }
  return name;
}

export function mostOf(bytes: number): string {
  return `${bytes / mebibyte} MB`;
}

export async function removeFeedFile(dataDir: string, file: string): Promise<void> {
  await rm(feedFilePath(dataDir, file), { force: true });
}

/** Removes abandoned copies. */
export async function removeOldFeedFiles(
  dataDir: string,
  days: number,
  now: Date,
): Promise<number> {
  const place = path.join(dataDir, folder);
  const names = await readdir(place).catch(() => []);
  let removed = 0;
  for (const name of names) {
    const found = await stat(path.join(place, name)).catch(() => null);
    if (!found?.isFile() || now.getTime() - found.mtimeMs < days * 86_400_000) continue;
    await rm(path.join(place, name), { force: true });
    removed++;
  }
  return removed;
}

/** ms without a write after which a file is considered complete */
const quietMs = 30_000;

/**
 * Returns the newest complete file in a folder below `feeds/` in the data folder, to which networks
 * deliver. Hidden files and unfinished uploads are skipped. `mark` changes with the file.
 */
export async function findWatchedFile(dataDir: string, location: string, now: Date) {
  const root = path.join(path.resolve(dataDir), 'feeds');
  const place = path.resolve(root, location);
  if (!place.startsWith(root + path.sep)) throw new FeedError('the folder is not inside "feeds"');
  const names = await readdir(place).catch((error: unknown) => {
    throw new FeedError(`there is no folder feeds/${location} in the data folder`, {
      cause: error,
    });
  });
  let newest: { path: string; mark: string; at: number } | null = null;
  for (const name of names) {
    if (/^\.|\.(part|filepart|tmp|partial|crdownload)$/i.test(name)) continue;
    const file = path.join(place, name);
    const found = await stat(file);
    if (!found.isFile() || now.getTime() - found.mtimeMs < quietMs) continue;
    if (newest && newest.at >= found.mtimeMs) continue;
    newest = { path: file, mark: `${name} ${found.size} ${found.mtimeMs}`, at: found.mtimeMs };
  }
  if (!newest) throw new FeedError(`there is no complete file in feeds/${location} yet`);
  return newest;
}
