import type pg from 'pg';

declare module 'pg' {
  /** The driver has it, its types have not. */
  interface ClientBase {
    processID?: number;
  }
}

const rememberedMs = 60_000;
const ended = new Set<number>();

/** Notes that this process ended a session. Its process in the server may work on for a while, or take a moment to end. */
export function noteEnded({ processID }: pg.ClientBase): void {
  if (!processID) return;
  ended.add(processID);
  setTimeout(() => ended.delete(processID), rememberedMs).unref();
}

/** The processes in the server of sessions that this process ended in the last minute. */
export function listEnded(): number[] {
  return [...ended];
}
