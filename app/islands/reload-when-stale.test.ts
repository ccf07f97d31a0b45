// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isUpToDate, reloadWhenStale, setUpToDate } from './reload-when-stale.ts';

let moves: string[];

beforeEach(() => {
  moves = [];
  history.replaceState(null, '', '/deals?page=2');
  document.documentElement.dataset['own'] = 'before';
  document.cookie = 'own=after';
  vi.spyOn(location, 'reload').mockImplementation(() => void moves.push('reload'));
  vi.spyOn(location, 'replace').mockImplementation((to) => void moves.push(`replace ${to}`));
});

afterEach(() => vi.restoreAllMocks());

const arrive = (entry: { type?: string; deliveryType?: string }) => {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([entry as PerformanceEntry]);
  reloadWhenStale();
};

it('compares the page’s token with the visitor’s cookie', () => {
  expect(isUpToDate()).toBe(false);
  setUpToDate();
  expect(isUpToDate()).toBe(true);
});

it.each([{ type: 'back_forward' }, { type: 'navigate', deliveryType: 'navigational-prefetch' }])(
  'reloads a stale page that the browser cached: %o',
  (entry) => {
    arrive(entry);
    expect(moves).toEqual([`replace ${location.href}`]);
  },
);

it('reloads a stale page with an anchor at the same place', () => {
  history.replaceState(null, '', '/deals?page=2#list');
  arrive({ type: 'back_forward' });
  expect(moves).toEqual(['reload']);
});

it('never reloads a page twice in a row, nor one that is up to date', () => {
  arrive({ type: 'navigate' });
  setUpToDate();
  arrive({ type: 'back_forward' });
  expect(moves).toEqual([]);
});
