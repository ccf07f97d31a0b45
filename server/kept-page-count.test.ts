import { afterEach, expect, test, vi } from 'vitest';
import { createLog } from '#app/platform/log.server.ts';
import { KeptPageCount } from './kept-page-count.ts';

afterEach(() => vi.useRealTimers());

test('logs cached pages together, once every ten seconds', () => {
  vi.useFakeTimers();
  const log = createLog('silent');
  const info = vi.spyOn(log, 'info');
  const kept = new KeptPageCount(log);
  kept.count();
  kept.count();
  expect(info).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10_000);
  kept.count();
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
  let stoodIn = 0;
  const kept = new KeptPageCount(log, () => stoodIn);
  for (const standIns of [2, 0, 1]) {
    stoodIn += standIns;
    kept.count();
    vi.advanceTimersByTime(10_000);
  }
  expect(info.mock.calls).toEqual([
    [{ pages: 1, standIns: 2 }, 'shared pages'],
    [{ pages: 1 }, 'shared pages'],
    [{ pages: 1, standIns: 1 }, 'shared pages'],
  ]);
});
