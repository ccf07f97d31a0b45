import os from 'node:os';

/** What this machine has, or what its container may use, in megabytes. As in `bin/site-flags.mjs`. */
export function machineMemoryMb(): number {
  return Math.floor(Math.min(os.totalmem(), process.constrainedMemory() || Infinity) / 2 ** 20);
}
