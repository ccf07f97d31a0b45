/** Why the process of a job ended early. */
export type Trouble = 'silent' | 'memory' | 'died';

/**
 * Runs one job in a process of its own. Returns null if it ended well or was stopped, `failed` if
 * the job threw, which it has logged.
 */
export type RunApart = (job: string, signal: AbortSignal) => Promise<Trouble | 'failed' | null>;

/** Limits of such a process. */
export const ownProcessLimits = {
  /** Its event loop was blocked for this long. */
  silentSeconds: 60,
  heapMb: 768,
  /** All of its memory, including buffers and code. */
  memoryMb: 1_536,
};
