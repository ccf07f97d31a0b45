import path from 'node:path';
import type { Env } from '#app/platform/env.server.ts';
import { freeBytes } from '#database/free-bytes.ts';
import { errorCode } from '#database/error-code.ts';

const codes = new Set(['ENOSPC', 'EDQUOT', '53100']);
const messages = /No space left on device|Disk quota exceeded/;
/**
 * bytes; two segments of the write-ahead log. With less space, PostgreSQL stops, and clients only
 * see a lost connection
 */
const leastBytes = 32 * 2 ** 20;

/**
 * If the private database failed for lack of space, returns an error that names the full disk.
 * Otherwise, returns the original error.
 */
export async function explainFullDisk(
  error: unknown,
  { databaseUrl, dataDir }: Pick<Env, 'databaseUrl' | 'dataDir'>,
  readFree: (folder: string) => Promise<number | null> = freeBytesOrNull,
): Promise<unknown> {
  if (databaseUrl !== null) return error;
  const free = await readFree(dataDir);
  if (!isOfRoom(error) && (free === null || free >= leastBytes)) return error;
  const left = free === null ? '' : `, with ${Math.floor(free / 2 ** 20)} MB left`;
  return new Error(
    `The disk of ${path.resolve(dataDir)} is full${left}: the database could not be written. Free up at least 1 GB, or set DATA_DIR to a folder on another disk.`,
    { cause: error },
  );
}

function isOfRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return codes.has(errorCode(error)) || messages.test(error.message) || isOfRoom(error.cause);
}

const freeBytesOrNull = (folder: string) => freeBytes(folder).catch(() => null);
