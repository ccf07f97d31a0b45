/**
 * Limits the memory of this process's PostgreSQL servers. Starting and stopping a server with a
 * gigabyte of shared buffers takes twice as long, and tests do not need that much.
 */
export function keepServersSmall(): void {
  process.env['MEMORY_MB'] = '512';
}
