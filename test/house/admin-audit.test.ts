import type { RouteConfigEntry } from '@react-router/dev/routes';
import { expect, test } from 'vitest';
import routes from '#app/routes.ts';
import { adminScreens } from '../../e2e/admin-screens.ts';

/** The addresses of all routes, as they are written. */
function patternsOf(entries: readonly RouteConfigEntry[], above = ''): string[] {
  return entries.flatMap(({ path, index, children }) => {
    const own = path === undefined ? above : `${above}/${path}`;
    return [...(path !== undefined || index ? [own] : []), ...patternsOf(children ?? [], own)];
  });
}

const patterns = patternsOf(routes).filter((pattern) => /^\/admin(\/|$)/.test(pattern));

test('every route of the back office is examined in a browser, or says why it is not', () => {
  expect(patterns.length).toBeGreaterThan(40);
  const unexamined = patterns.filter((pattern) => !(pattern in adminScreens));
  expect(unexamined, 'routes for e2e/admin-screens.ts').toEqual([]);
  expect(Object.keys(adminScreens).filter((pattern) => !patterns.includes(pattern))).toEqual([]);
});
