import type pg from 'pg';

declare module 'pg' {
  /** A member of the driver that is missing from its types. */
  interface ClientBase {
    processID?: number;
  }
}

const rememberedMs = 60_000;
const ended = new Set<number>();

/**
 * Records that this process ended a session, since its server process may keep working for a while.
 */
export function noteEnded({ processID }: pg.ClientBase): void {
  if (!processID) return;
  ended.add(processID);
  setTimeout(() => ended.delete(processID), rememberedMs).unref();
}

/** Lists the server processes of sessions that this process ended in the last minute. */
export function listEnded(): number[] {
  return [...ended];
}
