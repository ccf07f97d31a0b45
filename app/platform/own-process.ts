/** Why a process of a job did not come to its end. */
export type Trouble = 'silent' | 'memory' | 'died';

/**
 * Runs one job in a process of its own. Returns null if it ended well or was told to stop, `failed` if the job threw, which
 * it has logged.
 */
export type RunApart = (job: string, signal: AbortSignal) => Promise<Trouble | 'failed' | null>;

/** Bounds of such a process. */
export const ownProcessLimits = {
  /** Its event loop has not turned for so long. */
  silentSeconds: 60,
  heapMb: 768,
  /** All of its memory, buffers and code included. */
  memoryMb: 1_536,
};
