import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Stops this process's clock during each test in a file or `describe`. No rate limit or 30-second
 * code thus expires halfway on a busy server. Timers and the database's clock keep running.
 */
export function useStoppedClock(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());
}
