import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Stops the clock of this process during each test of a file or a `describe`. No rate limit and no
 * 30-second code thus expires halfway on a busy server. Timers and the database's clock keep
 * running.
 */
export function useStoppedClock(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());
}
