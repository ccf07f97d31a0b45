import type pg from 'pg';

declare module 'pg' {
  /** The member that the driver has, but its types lack. */
  interface ClientBase {
    processID?: number;
  }
}

const rememberedMs = 60_000;
const ended = new Set<number>();

/**
 * Records that this process ended a session. The session's server process may keep working for a
 * while, or take a moment to end.
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
