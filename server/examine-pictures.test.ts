import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openFolderMedia } from '#database/media-store.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { startS3Server } from '#test/s3-server.ts';
import { testServices } from '#test/services.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { examinePictures } from '#server/examine-pictures.ts';

const database = useTestDatabase();
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-pictures-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const services = (env = {}) => testServices(database, { DATA_DIR: folder, ...env });
const examine = (env = {}) => examinePictures(database, services(env).env);

it('passes if all pictures are in the database', async () => {
  await insertDeal(database.db, { image_url: '/media/shop/a-1.webp' });
  await openMedia(services()).write('shop/a-1.webp', Buffer.from('a'));
  expect(await examine()).toEqual({ name: 'pictures', state: 'ok', detail: '1 in the database' });
});

it('suggests moving pictures that are stored in a folder', async () => {
  await openFolderMedia(path.join(folder, 'media')).write('a-1.webp', Buffer.from('a'));
  expect(await examine()).toMatchObject({
    state: 'warning',
    detail: '0 in the database, 1 elsewhere, which other servers may not reach',
    fix: 'deals move-pictures',
  });
});

it('reports a problem if pictures of a deal, a post or the logo are missing', async () => {
  await insertDeal(database.db, { image_url: '/media/shop/a-1.webp' });
  await insertDeal(database.db, { image_url: '/media/shop/a-1.webp' });
  await database.pool.query(`
    insert into site_settings (name, value) values ('logoUrl', '"/media/site/logo-2.webp"');
    insert into blog_posts (title, slug, content) values ('Post', 'post', '<img src="/media/site/b-3.webp">')`);
  expect(await examine()).toMatchObject({
    state: 'problem',
    detail: '3 shown pictures cannot be found from this server, such as shop/a-1.webp',
  });
});

it('counts pictures in a bucket, and reports a problem if the bucket is unreachable', async () => {
  const s3 = await startS3Server();
  try {
    const env = { PICTURE_STORE: 's3', ...s3.env };
    await openMedia(services(env)).write('shop/a-1.webp', Buffer.from('a'));
    expect(await examine(env)).toEqual({
      name: 'pictures',
      state: 'ok',
      detail: '1 in the bucket',
    });
    expect(await examine({ ...env, S3_BUCKET: 'nobody' })).toMatchObject({
      state: 'problem',
      detail: expect.stringMatching(/^the bucket nobody at http:.*NoSuchBucket/),
    });
  } finally {
    await s3.close();
  }
});
