import { expect, test } from 'vitest';
import { routePages } from '../../e2e/route-pages.ts';

test('every page of routes.ts has an example in e2e/route-pages.ts, and every example has a page', () => {
  const { pages, unknown, gone } = routePages();
  expect({ unknown, gone }).toEqual({ unknown: [], gone: [] });
  expect(pages.length).toBeGreaterThan(40);
});
