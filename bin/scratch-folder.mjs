// Finds the folder for tests' temporary files. On a disk, the kernel would use up to half of the
// CPU time, mostly to write databases that are never read again.
import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import os from 'node:os';

const inMemory = '/dev/shm';
/**
 * The free bytes that the folder must have. Tests use only a fraction, but browsers and servers
 * need memory.
 */
const leastFree = 8 * 2 ** 30;

/** Returns a folder in memory if there is enough and TMPDIR is not set. */
export function scratchFolder() {
  return process.env.TMPDIR || (isPlenty() ? inMemory : os.tmpdir());
}

function isPlenty() {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const [, , type, options = ''] =
      mounts.map((line) => line.split(' ')).findLast(([, at]) => at === inMemory) ?? [];
    const { bavail, bsize } = statfsSync(inMemory);
    accessSync(inMemory, constants.W_OK);
    // Tests copy the binaries of an older PostgreSQL into the folder and run them.
    const mayRun = !options.split(',').includes('noexec');
    const free = Math.min(bavail * bsize, process.availableMemory?.() ?? os.freemem());
    return type === 'tmpfs' && mayRun && free >= leastFree;
  } catch {
    return false;
  }
}

if (process.argv[1]?.endsWith('scratch-folder.mjs')) console.log(scratchFolder());
