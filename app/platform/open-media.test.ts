import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openFolderMedia } from '#database/media-store.ts';
import { useTestDatabase } from '#test/database.ts';
import { startHttpSite } from '#test/http-site.ts';
import { startS3Server } from '#test/s3-server.ts';
import { testServices } from '#test/services.ts';
import { openMedia } from './open-media.server.ts';

const database = useTestDatabase();
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-machines-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const machine = (name: string) => ({ DATA_DIR: path.join(folder, name) });
const mediaOf = (name: string, env = {}) =>
  openMedia(testServices(database, { ...machine(name), ...env }));

async function ask(
  name: string,
  address: string,
  headers: Record<string, string> = {},
  env: Record<string, string> = {},
) {
  const app = async () => ({
    response: new Response('from the router', { status: 404 }),
    policy: null,
    error: null,
  });
  const site = await startHttpSite(app, { db: database.db, env: { ...machine(name), ...env } });
  return site.send(address, { headers }).finally(() => site.close());
}

it('serves the pictures that any server stored, with long-lived caching and an ETag', async () => {
  const content = 'pixels'.repeat(100_000);
  await mediaOf('worker').write('site/logo-ab12.webp', Buffer.from(content));
  const sent = await ask('web', '/media/site/logo-ab12.webp');
  expect([sent.status, sent.text === content]).toEqual([200, true]);
  expect(sent.headers).toMatchObject({
    'content-type': 'image/webp',
    'content-length': '600000',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  const again = await ask('web', '/media/site/logo-ab12.webp', {
    'if-none-match': String(sent.headers.etag),
  });
  expect([again.status, again.text]).toEqual([304, '']);
  expect((await ask('web', '/media/site/logo-none.webp')).status).toBe(404);
});

it('serves pictures from another store until they are moved, in both directions', async () => {
  await openFolderMedia(path.join(folder, 'web/media')).write('old-1.webp', Buffer.from('old'));
  expect((await ask('web', '/media/old-1.webp')).text).toBe('old');
  await mediaOf('web').write('new-2.webp', Buffer.from('new'));
  const back = mediaOf('web', { PICTURE_STORE: 'folder' });
  expect(await back.list()).toEqual(['new-2.webp', 'old-1.webp']);
  await back.write('newer-3.webp', Buffer.from('newer'));
  const files = openFolderMedia(path.join(folder, 'web/media'));
  expect(await files.list()).toEqual(['newer-3.webp', 'old-1.webp']);
  await back.remove('new-2.webp');
  expect(await mediaOf('web').find('new-2.webp')).toBeNull();
});

it("measures the free space of the database's disk, but not for a remote database", async () => {
  const services = testServices(database, { DATA_DIR: folder });
  expect(await openMedia(services).countFreeBytes()).toBeGreaterThan(0);
  const elsewhere = testServices(database, { DATABASE_URL: 'postgres://db.example/deals' });
  expect(await openMedia(elsewhere).countFreeBytes()).toBe(Infinity);
});

it('serves pictures from the bucket if it is chosen, and otherwise from the disk', async () => {
  const s3 = await startS3Server();
  try {
    const env = { PICTURE_STORE: 's3', ...s3.env };
    await mediaOf('worker', env).write('site/logo-ab12.webp', Buffer.from('logo'));
    const sent = await ask('web', '/media/site/logo-ab12.webp', {}, env);
    expect([sent.status, sent.text, sent.headers['content-length']]).toEqual([200, 'logo', '4']);
    // The bucket is not requested unless it is chosen.
    expect(await mediaOf('web').find('site/logo-ab12.webp')).toBeNull();
    await mediaOf('web').write('old-1.webp', Buffer.from('old'));
    expect((await ask('web', '/media/old-1.webp', {}, env)).text).toBe('old');
    expect((await ask('web', '/media/none-1.webp', {}, env)).status).toBe(404);
  } finally {
    await s3.close();
  }
});
