import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';
import { securityHeaders } from '#server/security-headers.ts';
import type { SiteApp } from '#server/site-app.ts';
import { loadStaticFiles } from '#server/static-files.ts';

let folder = '';
let site: HttpSite | undefined;
const router: SiteApp = async () => ({
  response: new Response('from the router', { status: 404 }),
  policy: null,
  error: null,
});

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-files-'));
  await mkdir(path.join(folder, 'client/assets'), { recursive: true });
  await mkdir(path.join(folder, 'client/.vite'));
  await mkdir(path.join(folder, 'media/demo/deeper'), { recursive: true });
  const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
  await write('client/assets/a-1234.js', 'let a = 1;\n'.repeat(50));
  await write('client/assets/a-1234.js.map', '{}');
  await write('client/favicon.ico', 'icon');
  await write('client/sw.js', '// worker');
  await write('client/.vite/manifest.json', '{}');
  await write('client/.env', 'SECRET=1');
  await write('media/ab12cd34-640.webp', 'picture');
  await write('media/notes.txt', 'private');
  await write('media/demo/ab12cd34.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await write('media/demo/deeper/ab12cd34.webp', 'private');
  await write('media/.hidden.webp', 'private');
  await write('media/Upper.webp', 'private');
  await mkdir(path.join(folder, 'media/folder.webp'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => site?.close());

async function start(): Promise<HttpSite> {
  const files = await loadStaticFiles(
    path.join(folder, 'client'),
    securityHeaders('http://x.test'),
  );
  site = await startHttpSite(router, { files, env: { DATA_DIR: folder } });
  return site;
}

it('serves compressed scripts that are cacheable for a year, and icons for an hour', async () => {
  const files = await start();
  const script = await files.send('/assets/a-1234.js', { headers: { 'accept-encoding': 'br' } });
  expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(brotliDecompressSync(script.body).toString()).toContain('let a = 1;');
  const icon = await files.send('/favicon.ico');
  expect([icon.status, icon.text, icon.headers['cache-control']]).toEqual([
    200,
    'icon',
    'public, max-age=3600',
  ]);
  // Chats and feed readers show icons and pictures on their own pages, but scripts are only for
  // this site.
  const policies = [script, icon].map(({ headers }) => headers['cross-origin-resource-policy']);
  expect(policies).toEqual(['same-origin', 'cross-origin']);
});

// Proves R44: files served
it('R44: serves no source map, manifest, dot-file or file outside the built client', async () => {
  const files = await start();
  for (const name of [
    '/assets/a-1234.js.map',
    '/.vite/manifest.json',
    '/.env',
    '/server/main.ts',
    '/package.json',
    '/media/notes.txt',
    '/media/..%2fclient%2f.env',
    '/media/../client/.env',
  ]) {
    const { status, text } = await files.send(name);
    expect([name, status >= 400, text.includes('SECRET') || text.includes('private')]).toEqual([
      name,
      true,
      false,
    ]);
  }
});

it('responds to a missing script with a plain 404, never with a page', async () => {
  const files = await start();
  const { status, headers, text } = await files.send('/assets/gone-9999.js');
  expect([status, headers['content-type'], text]).toEqual([
    404,
    'text/plain; charset=utf-8',
    'Not found\n',
  ]);
});

it('serves stored pictures as cacheable for a year', async () => {
  const files = await start();
  const picture = await files.send('/media/ab12cd34-640.webp');
  expect([picture.status, picture.text]).toEqual([200, 'picture']);
  expect(picture.headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
  const etag = String(picture.headers.etag);
  const again = await files.send('/media/ab12cd34-640.webp', {
    headers: { 'if-none-match': etag },
  });
  expect(again.status).toBe(304);
});

it('makes browsers revalidate the service worker, and lets it contact only this host', async () => {
  const files = await start();
  const worker = await files.send('/sw.js');
  expect(worker.headers['cache-control']).toBe('no-cache');
  expect(worker.headers['content-security-policy']).toContain("connect-src 'self'");
  expect(worker.headers['content-security-policy']).not.toContain('sandbox');
});

it('serves a self-contained offline page', async () => {
  const files = await start();
  const { status, text } = await files.send('/offline');
  expect(status).toBe(200);
  expect(text).toContain('You are offline');
  expect(text).not.toMatch(/<(?:script|img|link)\b|url\(/);
});

it('returns 304 for any form of a stored picture’s ETag, and no body for HEAD', async () => {
  const files = await start();
  const name = '/media/ab12cd34-640.webp';
  const { headers } = await files.send(name);
  const etag = String(headers.etag);
  for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await files.send(name, { headers: { 'if-none-match': tags } });
    expect([tags, again.status, again.text]).toEqual([tags, 304, '']);
    expect(again.headers['cache-control']).toBe(headers['cache-control']);
  }
  const other = await files.send(name, { headers: { 'if-none-match': '"other"' } });
  expect([other.status, other.text]).toEqual([200, 'picture']);
  const head = await files.send(name, { method: 'HEAD' });
  expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '7']);
});

it('R44: serves an SVG with a policy that forbids scripts', async () => {
  const files = await start();
  const { status, headers } = await files.send('/media/demo/ab12cd34.svg');
  expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml']);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['content-security-policy']).toContain('sandbox');
});

it.each([
  ['that is a folder', '/media/folder.webp'],
  ['in a folder within a folder', '/media/demo/deeper/ab12cd34.webp'],
  ['that begins with a dot', '/media/.hidden.webp'],
  ['in capital letters', '/media/Upper.webp'],
  ['with another extension', '/media/notes.txt'],
  ['that does not exist', '/media/nothing-here.webp'],
  ['that is empty', '/media/.webp'],
  ['that is the folder itself', '/media'],
  ['that is too long', `/media/${'a'.repeat(300)}.webp`],
])('R44: does not read a stored file with a name %s', async (_name, address) => {
  const files = await start();
  const { status, text, headers } = await files.send(address);
  expect([status, text.includes('private')]).toEqual([404, false]);
  expect(headers['cache-control']).toBe('private, no-store');
});

it('accepts only GET and HEAD requests for a picture', async () => {
  const files = await start();
  const headers = { origin: 'https://deals.test' };
  const sent = await files.send('/media/ab12cd34-640.webp', { method: 'POST', headers });
  expect([sent.status, sent.text]).toEqual([404, 'from the router']);
  const deleted = await files.send('/media/ab12cd34-640.webp', { method: 'DELETE', headers });
  expect(deleted.status).toBe(405);
  expect((await files.send('/media/ab12cd34-640.webp')).status).toBe(200);
});

it("ignores the query of a file's URL", async () => {
  const files = await start();
  expect((await files.send('/favicon.ico?v=2')).text).toBe('icon');
});
