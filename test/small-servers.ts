/**
 * Gives PostgreSQL servers of this process and its children little memory. Starting and stopping one with a gigabyte of
 * shared buffers costs twice as much, and tests that do little else need none of it.
 */
export function keepServersSmall(): void {
  process.env['MEMORY_MB'] = '512';
}
