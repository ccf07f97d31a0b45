import os from 'node:os';

/**
 * Returns the memory of this server, or of its container, in megabytes. Must match
 * `bin/site-flags.mjs`.
 */
export function serverMemoryMb(): number {
  return Math.floor(Math.min(os.totalmem(), process.constrainedMemory() || Infinity) / 2 ** 20);
}
