// A lock between processes that the kernel releases when its holder dies, on every platform:
// SQLite's lock on an empty file. With a lock file that contains a process id, two processes could
// both decide that it is stale.
import fs from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { errorCode } from '#database/error-code.ts';

const SQLITE_BUSY = 5;

/** Runs the work while no other process runs work under the same lock file. */
export async function holdLock<Result>(
  file: string,
  work: () => Promise<Result>,
  onWait: () => void = () => {},
): Promise<Result> {
  const lock = openLockFile(file);
  try {
    for (let attempt = 0; !tryToLock(lock); attempt++) {
      if (attempt === 40) onWait();
      await wait(50);
    }
    return await work();
  } finally {
    lock.close(); // Closing rolls back, which releases the lock.
  }
}

/**
 * Opens the lock file with access for this user only, because anyone who can open it could hold the
 * lock.
 */
export function openLockFile(file: string): DatabaseSync {
  try {
    fs.closeSync(fs.openSync(file, 'a', 0o600));
  } catch (error) {
    if (errorCode(error) !== 'EACCES') throw error;
    throw new Error(
      `${file} cannot be opened (EACCES). The database seems to belong to another user: start the site as that user.`,
      { cause: error },
    );
  }
  return new DatabaseSync(file, { timeout: 0 });
}

export function tryToLock(lock: DatabaseSync): boolean {
  try {
    // The lock uses no journal file, since it must also work on a full disk.
    lock.exec('pragma journal_mode = memory; begin exclusive');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return false;
    throw error;
  }
}
