import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from '#database/error-code.ts';

/**
 * A lock timeout, a deadlock or a slug that was taken in the meantime: the batch can be retried.
 */
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
