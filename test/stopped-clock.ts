import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Stops the clock of this process during each test of a file or a `describe`, so that no limit's window and no code of
 * 30 seconds ends in the middle of one on a busy machine. Timers run as ever, and so does the clock of the database.
 */
export function useStoppedClock(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());
}
