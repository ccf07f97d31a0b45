import type { RouteConfigEntry } from '@react-router/dev/routes';
import { expect, test } from 'vitest';
import routes from '#app/routes.ts';
import { accountPaths } from './account-paths.ts';

const pathsOf = (entries: readonly RouteConfigEntry[]): string[] =>
  entries.flatMap(({ path = '', children }) => [
    ...(path === '' ? [] : [`/${path}`]),
    ...pathsOf(children ?? []),
  ]);

test('lets their router follow links to account pages only', () => {
  const entries: readonly RouteConfigEntry[] = routes;
  const ofAccount = entries.filter(({ file }) => file.endsWith('/account-layout.tsx'));
  const toOtherSites = (path: string) => path.startsWith('/sign-in/with/');
  const own = pathsOf(ofAccount).filter((path) => !toOtherSites(path));
  expect(own.filter((path) => !accountPaths.test(path))).toEqual([]);
  const others = pathsOf(entries).filter((path) => !own.includes(path));
  expect(others.filter((path) => accountPaths.test(path))).toEqual([]);
});
