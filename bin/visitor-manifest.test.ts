import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { trimManifest, writeVisitorManifest } from './visitor-manifest.ts';

const manifest = {
  entry: { module: '/assets/entry.js', imports: ['/assets/site.js'] },
  routes: {
    root: { hasDefaultExport: true, module: '/assets/root.js' },
    'storefront/home/home-page': {
      hasAction: false,
      hasDefaultExport: true,
      imports: ['/assets/site.js', '/assets/tiles.js'],
    },
    'account/sign-in-page': { hasAction: true, hasDefaultExport: true },
    'admin/deals/deals-page': { hasAction: true, hasDefaultExport: true },
    'account/reset-password-page': { hasDefaultExport: true },
    'api/favorites-route': { hasAction: true },
    'api/session-route': { hasAction: true, hasDefaultExport: false },
  },
  version: 'abc',
};
const script = `window.__reactRouterManifest=${JSON.stringify(manifest)};`;

test('visitors get neither the screens of the back office nor what only machines read', () => {
  const trimmed = trimManifest(script);
  expect(trimmed.startsWith('window.__reactRouterManifest={')).toBe(true);
  const read = JSON.parse(trimmed.slice(trimmed.indexOf('{'), -1)) as typeof manifest;
  expect(Object.keys(read.routes)).toEqual([
    'root',
    'storefront/home/home-page',
    'account/sign-in-page',
    'api/favorites-route',
  ]);
  expect(read.routes['storefront/home/home-page']).toEqual({
    hasDefaultExport: true,
    imports: ['/assets/tiles.js'],
  });
  expect(read).toMatchObject({ entry: manifest.entry, version: 'abc' });
});

test('it stands beside the whole one, which stays as it is', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'visitor-manifest-'));
  await writeFile(path.join(folder, 'manifest-0a1b.js'), script);
  await writeFile(path.join(folder, 'manifest-route-x.js'), '');
  await writeVisitorManifest(folder);
  expect(await readFile(path.join(folder, 'manifest-0a1b.js'), 'utf8')).toBe(script);
  expect(await readFile(path.join(folder, 'manifest-0a1b-visitor.js'), 'utf8')).toBe(
    trimManifest(script),
  );
  await rm(folder, { recursive: true });
  await expect(writeVisitorManifest(tmpdir())).rejects.toThrow('no route manifest');
});
