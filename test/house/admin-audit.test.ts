import { expect, test } from 'vitest';
import { routePatterns } from '#test/route-patterns.ts';
import { adminScreens } from '../../e2e/admin-screens.ts';

/** The URL patterns of all routes, as in `routes.ts`. */
const patterns = routePatterns()
  .map(({ pattern }) => pattern)
  .filter((pattern) => /^\/admin(\/|$)/.test(pattern));

test('audits every admin route in a browser, or gives a reason for skipping it', () => {
  expect(patterns.length).toBeGreaterThan(40);
  const unexamined = patterns.filter((pattern) => !(pattern in adminScreens));
  expect(unexamined, 'routes for e2e/admin-screens.ts').toEqual([]);
  expect(Object.keys(adminScreens).filter((pattern) => !patterns.includes(pattern))).toEqual([]);
});
