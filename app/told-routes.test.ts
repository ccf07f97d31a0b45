import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import { testVisitor, type TestVisitor } from '#test/visitor.ts';
import routes from './routes.ts';

const database = useTestDatabase();
const site = testSite(database);
const entries: readonly RouteConfigEntry[] = routes;

const under = (layout: RegExp) =>
  entries.filter(({ file }) => layout.test(file)).flatMap(({ children = [] }) => children);
const flat = (list: readonly RouteConfigEntry[]): RouteConfigEntry[] =>
  list.flatMap((entry) => [entry, ...flat(entry.children ?? [])]);

/** Files and paths below `admin`. The existence of `/admin` is not a secret. */
const namesOfAdmin = flat(under(/admin-layout/)).flatMap(({ file, path = '' }) =>
  [file.replace(/\.tsx?$/, ''), path].filter((name) => name.startsWith('admin/')),
);
const shown = flat(under(/(?:site|account)-layout/))
  .map(({ path = '' }) => `/${path}`)
  .filter((path) => !/[:*]/.test(path));

const assets = fileURLToPath(new URL('../build/client/assets/', import.meta.url));

/** Returns the page and every script that its browser may load, by static and dynamic imports. */
async function textsOf(visitor: TestVisitor, path: string): Promise<string[]> {
  const { html } = await visitor.open(path);
  const texts = [html];
  const names = new Set<string>();
  for (const text of texts) {
    for (const [, name = ''] of text.matchAll(/(?:assets|\.)\/([\w.-]+\.js)\b/g)) {
      if (names.has(name)) continue;
      names.add(name);
      texts.push(readFileSync(assets + name, 'utf8'));
    }
  }
  // A redirect has no page.
  if (html) expect([path, names.size]).not.toEqual([path, 0]);
  return texts;
}

async function adminNamesTo(visitor: TestVisitor, paths: readonly string[]): Promise<string[]> {
  const told = new Set<string>();
  for (const path of paths) {
    const texts = await textsOf(visitor, path);
    for (const name of namesOfAdmin) {
      if (texts.some((text) => text.includes(name))) told.add(`${path}: ${name}`);
    }
  }
  return [...told];
}

test('does not reveal an admin route to a signed-out visitor on any page', async () => {
  expect(namesOfAdmin.length).toBeGreaterThan(100);
  expect(shown.length).toBeGreaterThan(40);
  expect(await adminNamesTo(testVisitor(site), [...shown, '/admin'])).toEqual([]);
});

test('does not reveal an admin route to a user without rights on any page', async () => {
  const visitor = await signedInVisitor(database, site, 'user');
  const paths = shown.filter((path) => !/^\/(?:sign-in|sign-up|logout)/.test(path));
  expect(await adminNamesTo(visitor, [...paths, '/admin'])).toEqual([]);
});
