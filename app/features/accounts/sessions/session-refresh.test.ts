import { expect, test } from 'vitest';
import { checkEveryMs, delayBeforeRetry, isDueForRefresh } from './session-refresh.ts';

// Proves Storefront 9: Sessions: 30 s, 300 s, 200 ms doubling
test('P9: checks the session every 30 s and refreshes it when less than 300 s remain', () => {
  expect(checkEveryMs).toBe(30_000);
  expect(isDueForRefresh(1_000_000, 1_000_000 - 300_000)).toBe(false);
  expect(isDueForRefresh(1_000_000, 1_000_000 - 299_999)).toBe(true);
  expect(isDueForRefresh(1_000_000, 2_000_000)).toBe(true);
});

// Proves Storefront 7: Refresh: 200 ms, doubling
// Proves Storefront 8: Session refresh fails
test('P9: retries a failed session refresh after 200 ms, doubling the delay each time', () => {
  expect([0, 1, 2, 3, 4].map(delayBeforeRetry)).toEqual([200, 400, 800, 1600, 3200]);
});
