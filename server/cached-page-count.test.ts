import { afterEach, expect, test, vi } from 'vitest';
import { createLog } from '#app/platform/log.server.ts';
import { CachedPageCount } from './cached-page-count.ts';

afterEach(() => vi.useRealTimers());

test('logs the number of cached pages once every ten seconds', () => {
  vi.useFakeTimers();
  const log = createLog('silent');
  const info = vi.spyOn(log, 'info');
  const pages = new CachedPageCount(log);
  pages.count();
  pages.count();
  expect(info).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10_000);
  pages.count();
  vi.advanceTimersByTime(10_000);
  vi.advanceTimersByTime(60_000);
  expect(info.mock.calls).toEqual([
    [{ pages: 2 }, 'shared pages'],
    [{ pages: 1 }, 'shared pages'],
  ]);
});

test('R62: logs how many of the cached pages were stale', () => {
  vi.useFakeTimers();
  const log = createLog('silent');
  const info = vi.spyOn(log, 'info');
  let staleOnError = 0;
  const pages = new CachedPageCount(log, () => staleOnError);
  for (const stale of [2, 0, 1]) {
    staleOnError += stale;
    pages.count();
    vi.advanceTimersByTime(10_000);
  }
  expect(info.mock.calls).toEqual([
    [{ pages: 1, stale: 2 }, 'shared pages'],
    [{ pages: 1 }, 'shared pages'],
    [{ pages: 1, stale: 1 }, 'shared pages'],
  ]);
});
