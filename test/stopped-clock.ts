import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Stops this process's clock during each test in a file or `describe`. Rate limits and 30-second
 * codes thus never expire during a test, even on a busy server. Timers and the database's clock
 * keep running.
 */
export function useStoppedClock(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());
}
