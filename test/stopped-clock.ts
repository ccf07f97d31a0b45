import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Stops the clock of this process during each test of a file or a `describe`. So no limit's window
 * and no 30-second code ends halfway on a busy server. Timers run as always, and so does the clock
 * of the database.
 */
export function useStoppedClock(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());
}
