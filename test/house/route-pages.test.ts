import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import sitemapPages from '#app/api/sitemap-pages.json' with { type: 'json' };
import { cachedPages } from '#app/cached-pages.ts';
import { routePatterns } from '#test/route-patterns.ts';
import { routePages } from '../../e2e/route-pages.ts';

test('lists exactly the pages in routes.ts, each with an example, in e2e/route-pages.ts', () => {
  const { pages, unknown, gone } = routePages();
  expect({ unknown, gone }).toEqual({ unknown: [], gone: [] });
  expect(pages.length).toBeGreaterThan(40);
});

test('lists every public page without parameters in app/api/sitemap-pages.json', () => {
  const fixed = routePatterns().filter(
    ({ pattern, file }) => file.startsWith('storefront/') && !/[:*]/.test(pattern),
  );
  const listed = new Set([...sitemapPages.listed, ...sitemapPages.notForSearch]);
  expect(fixed.map(({ pattern }) => pattern).filter((path) => !listed.has(path))).toEqual([]);
});

test('lists every page that calls allowPageCache in app/cached-pages.ts', () => {
  const cacheable = routePatterns().filter(({ file }) =>
    readFileSync(new URL(`../../app/${file}`, import.meta.url), 'utf8').includes('allowPageCache('),
  );
  const listed = new Set(cachedPages.map(({ path }) => path));
  expect(cacheable.map(({ pattern }) => pattern).filter((path) => !listed.has(path))).toEqual([]);
});
