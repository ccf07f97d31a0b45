import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectFiles } from '#test/import-graph.ts';
import { routePatterns } from '#test/route-patterns.ts';

const root = path.resolve(import.meta.dirname, '../..');
const routes = routePatterns().flatMap(({ pattern }) => (pattern === '/*' ? [] : [pattern]));
const patterns = routes.map((route) => {
  const text = route.replaceAll('.', String.raw`\.`).replace(/\/\*$/, '/.*');
  return new RegExp(`^${text.replaceAll(/:\w+/g, '[^/]+')}$`);
});

/** Paths that the server handles before React Router, or that no page handles. */
const otherAddresses = /^\/(?:media\/|metrics$|health\/(?:live|ready)$)/;
/** Files whose URLs belong to other sites or are browser URL patterns. */
const foreign = new Set([
  'app/features/accounts/providers/read-identity.server.ts',
  'app/features/imported-lists/find-deals-by-asin.server.ts',
  'app/features/moved-posts/old-picture.ts',
  'app/features/moved-posts/plugin-redirects.ts',
  'app/ui/speculation-rules.ts',
]);

/**
 * Returns every string in a source that begins like a URL of the site, with `x` for interpolated
 * parts.
 */
function addressesIn(source: string): string[] {
  const code = source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  const literals = code.matchAll(/(?<=[\s(={[,:>]|\$\{\w+\})(['"`])(\/[a-z.][^'"`\s]*)\1/gi);
  return [...literals].map(([, , text = '']) =>
    text
      .replace(/(?<=[\w-])\$\{(?:[^{}]|\{[^{}]*\})*\}$/, '') // a query that other code builds
      .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, 'x')
      .replace(/[?#].*$/, ''),
  );
}

function isKnown(address: string, file: string): boolean {
  if (otherAddresses.test(address) || existsSync(path.join(root, 'public', address))) return true;
  const isOfApi = file.endsWith('/api-operations.ts');
  const full = isOfApi ? `/api/v1${address.replaceAll(/[{}]/g, '')}` : address;
  if (patterns.some((pattern) => pattern.test(full))) return true;
  // A part of a URL, such as "/deals/" before a slug or "/price-history" after one.
  return routes.some((route) =>
    full.endsWith('/')
      ? route.startsWith(`${full}:`)
      : /:(?:slug|deal)$/.test(route.slice(0, -full.length)) && route.endsWith(full),
  );
}

test('links only to URLs in routes.ts', () => {
  const files = projectFiles('*.ts', '*.tsx').filter(
    (file) => /^app\//.test(file) && !/\.test\.tsx?$/.test(file) && !foreign.has(file),
  );
  const found = files.flatMap((file) =>
    addressesIn(readFileSync(path.join(root, file), 'utf8')).map((address) => ({ file, address })),
  );
  expect(found.length).toBeGreaterThan(600);
  expect(found.filter(({ file, address }) => !isKnown(address, file))).toEqual([]);
});

test('detects a URL that no route has', () => {
  const lost = addressesIn(
    "a('/admin/dealz'); b(`/dealz/${slug}?page=2`); c(`/deals/${slug}${query}`)",
  );
  expect(lost).toEqual(['/admin/dealz', '/dealz/x', '/deals/xx']);
  expect(lost.map((address) => isKnown(address, 'app/page.tsx'))).toEqual([false, false, true]);
});
