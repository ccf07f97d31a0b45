/**
 * Limits the memory of this process's PostgreSQL servers. Starting and stopping one with a gigabyte
 * of shared buffers takes twice as long, and tests that do little else need none of it.
 */
export function keepServersSmall(): void {
  process.env['MEMORY_MB'] = '512';
}
