import { readFileSync } from 'node:fs';
import os from 'node:os';

const megabyte = 2 ** 20;

/**
 * The site's memory in MB: MEMORY_MB from the environment or `.env`, or the memory of the server or
 * its container.
 */
function plannedMemoryMb() {
  const set = process.env.MEMORY_MB ?? /^MEMORY_MB=["']?(\d+)/m.exec(readEnvFile())?.[1];
  const machine = Math.min(os.totalmem(), process.constrainedMemory?.() || Infinity);
  return Number(set) || Math.floor(machine / megabyte);
}

/**
 * Node's flags for the site. The young generation takes up to three times this size, and a larger
 * one does not increase the throughput. The heap grows by at most half between collections. With
 * both flags, an import of a hundred thousand rows stays below 220 MB (bench/import-bench.ts). For
 * results with little memory, see `npm run bench -- memory`.
 */
export function siteFlags(memoryMb = plannedMemoryMb()) {
  const youngMb = memoryMb >= 1000 ? 16 : 8;
  return [`--max-semi-space-size=${youngMb}`, '--heap-growing-percent=50'];
}

/** With little memory, threads share one glibc arena, since separate arenas would take 25 MB. */
export function siteEnvironment(memoryMb = plannedMemoryMb()) {
  return memoryMb >= 2000 ? {} : { MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2' };
}

/** Prints the flags for the launcher of a release, which is a shell script. */
if (import.meta.main) {
  const missing = Object.entries(siteEnvironment()).filter(([name]) => !process.env[name]);
  const lines = missing.map(([name, value]) => `export ${name}=${value}\n`);
  process.stdout.write(`flags='${siteFlags().join(' ')}'\n${lines.join('')}`);
}

function readEnvFile() {
  try {
    return readFileSync('.env', 'utf8');
  } catch {
    return '';
  }
}
