/**
 * Limits the memory of this process's PostgreSQL servers. Starting and stopping a server with a
 * gigabyte of shared buffers takes twice as long, and these tests do not need them.
 */
export function keepServersSmall(): void {
  process.env['MEMORY_MB'] = '512';
}
