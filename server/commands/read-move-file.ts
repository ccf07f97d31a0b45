import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import { sourceSizeLimits as limits } from '#app/features/feeds/sources/feed-files.server.ts';
import { errorCode } from '#database/error-code.ts';

interface MoveFile {
  /** The file name without its folder. */
  name: string;
  limits: typeof limits;
}

/**
 * Opens a file for `deals move-in`. Returns the exit code, which is 1 if the file is missing or
 * rejected.
 */
export async function readMoveFile(
  file: string,
  read: (source: Readable, about: MoveFile) => Promise<void>,
): Promise<number> {
  try {
    // Opens the file first, because a stream of a missing file would end the process.
    const handle = await open(file);
    await read(handle.createReadStream(), { name: file.replace(/^.*[/\\]/, ''), limits });
    return 0;
  } catch (error) {
    const isMissing = errorCode(error) === 'ENOENT';
    if (!(error instanceof FeedError) && !isMissing) throw error;
    const reason = error instanceof FeedError ? error.message : `there is no file ${file}`;
    process.stderr.write(`error: ${reason}\n`);
    return 1;
  }
}
