import { expect, test } from 'vitest';
import { routePages } from '../../e2e/route-pages.ts';

test('lists every page of routes.ts with an example in e2e/route-pages.ts, and the reverse', () => {
  const { pages, unknown, gone } = routePages();
  expect({ unknown, gone }).toEqual({ unknown: [], gone: [] });
  expect(pages.length).toBeGreaterThan(40);
});
