import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from '#database/error-code.ts';

/** A lock that was not to be had, a deadlock, a slug that somebody else took this moment: the batch may go again. */
const passing = new Set(['40001', '40P01', '55P03', '23505']);

export async function retryConflicts<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (!passing.has(errorCode(error)) || attempt === 5) throw error;
      await pause(100 * attempt);
    }
  }
}
