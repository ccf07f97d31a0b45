/** The reasons why the process of a job ended early. */
export type Trouble = 'silent' | 'memory' | 'died';

/**
 * Runs one job in a separate process. Returns null if it ended well or was stopped, and `failed` if
 * the job threw, which it has logged.
 */
export type RunApart = (job: string, signal: AbortSignal) => Promise<Trouble | 'failed' | null>;

/** Limits of such a process. */
export const ownProcessLimits = {
  /** seconds for which its event loop may be blocked */
  silentSeconds: 60,
  heapMb: 768,
  /** MB for all of its memory, including buffers and code */
  memoryMb: 1_536,
};
