import { open, stat } from 'node:fs/promises';
import { freeBytes } from '#database/free-bytes.ts';
import type { Env } from '#app/platform/env.server.ts';
import { FeedError } from '../formats/feed-error.ts';
import { feedFilePath } from './feed-files.server.ts';
import { isArchive, openArchive } from './open-archive.server.ts';

/** bytes to keep free for everything else that the site writes in the meantime */
const reserve = 64 * 1024 * 1024;
/**
 * Bytes on disk for each byte of a feed in a private database: the staged rows, the deals with
 * their indexes, the price log, and the database's own log. Measured with `npm run bench -- feed`.
 */
const databaseBytesPerByte = 10;

interface DiskNeed {
  needed: number;
  free: number;
}

/** Estimates the disk space that a run needs for this feed. */
export async function estimateDisk(
  env: Pick<Env, 'dataDir' | 'databaseUrl'>,
  file: string,
): Promise<DiskNeed> {
  // An external database uses another disk.
  const factor = env.databaseUrl === null ? databaseBytesPerByte : 0;
  return { needed: (await unpackedSize(file)) * factor, free: await freeBytes(env.dataDir) };
}

/** Returns the disk space that a run with this stored copy needs, or `null` if the copy is gone. */
export async function describeDisk(
  env: Pick<Env, 'dataDir' | 'databaseUrl'>,
  copy: string,
): Promise<string | null> {
  const disk = await estimateDisk(env, feedFilePath(env.dataDir, copy)).catch(() => null);
  if (disk === null || disk.needed === 0) return null;
  const { needed, free } = disk;
  return `The import needs about ${inWords(needed)} of disk space. ${inWords(free)} are free.`;
}

/** Throws if there is too little disk space for a run with this feed. */
export async function refuseFullDisk(
  env: Pick<Env, 'dataDir' | 'databaseUrl'>,
  file: string,
): Promise<void> {
  const { needed, free } = await estimateDisk(env, file);
  if (needed + reserve > free) throw new FeedError(tooFull(needed, free));
}

/** Throws if there is too little space for a download of this size. */
export async function refuseLargeDownload(dataDir: string, bytes: number): Promise<void> {
  const free = await freeBytes(dataDir);
  if (bytes + reserve > free) throw new FeedError(tooFull(bytes, free));
}

function tooFull(needed: number, free: number): string {
  return `the import needs about ${inWords(needed)} of disk space, and the server has ${inWords(free)} free`;
}

function inWords(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  return megabytes < 1_000
    ? `${Math.max(1, Math.round(megabytes))} MB`
    : `${(megabytes / 1024).toFixed(1)} GB`;
}

/** The last four bytes of a gzip file are its uncompressed size, modulo 4 GB. */
const gzipSizeHolds = 400 * 1024 * 1024;
const usualGzipRatio = 6;

async function unpackedSize(file: string): Promise<number> {
  const { size } = await stat(file);
  if (await isArchive(file)) {
    const archive = await openArchive(file);
    archive.close();
    return archive.files.reduce((sum, entry) => sum + entry.size, 0);
  }
  const handle = await open(file);
  try {
    const head = await handle.read(Buffer.alloc(2), 0, 2, 0);
    if (head.buffer.readUInt16BE(0) !== 0x1f8b) return size;
    if (size > gzipSizeHolds) return size * usualGzipRatio;
    const end = await handle.read(Buffer.alloc(4), 0, 4, size - 4);
    return end.buffer.readUInt32LE(0);
  } finally {
    await handle.close();
  }
}
