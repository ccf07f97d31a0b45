/** The reasons why the process of a job ended early. */
export type Trouble = 'silent' | 'memory' | 'died';

/**
 * Runs one job in a separate process. Returns null if the job ended well or was stopped, and
 * `failed` if it threw an error, which is already logged.
 */
export type RunApart = (job: string, signal: AbortSignal) => Promise<Trouble | 'failed' | null>;

/** The limits of the separate process of a job. */
export const ownProcessLimits = {
  /** seconds for which the event loop of the process may be blocked */
  silentSeconds: 60,
  heapMb: 768,
  /** MB for all memory of the process, including buffers and code */
  memoryMb: 1_536,
};
