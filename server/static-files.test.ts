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
  await mkdir(path.join(folder, 'media'));
  const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
  await write('client/assets/a-1234.js', 'let a = 1;\n'.repeat(50));
  await write('client/assets/a-1234.js.map', '{}');
  await write('client/favicon.ico', 'icon');
  await write('client/.vite/manifest.json', '{}');
  await write('client/.env', 'SECRET=1');
  await write('media/ab12cd34-640.webp', 'picture');
  await write('media/notes.txt', 'private');
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

it('serves scripts compressed and for ever, icons for an hour', async () => {
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
});

it('R44: serves no map, manifest, dot-file or file outside the built client', async () => {
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

it('answers a missing script with a plain 404, never with a page', async () => {
  const files = await start();
  const { status, headers, text } = await files.send('/assets/gone-9999.js');
  expect([status, headers['content-type'], text]).toEqual([
    404,
    'text/plain; charset=utf-8',
    'Not found\n',
  ]);
});

it('serves stored pictures for ever', async () => {
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
