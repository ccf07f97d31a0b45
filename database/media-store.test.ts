import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { openDatabaseMedia } from './database-media.ts';
import { askBy, joinMedia, type MediaStore, openFolderMedia } from './media-store.ts';
import { movePictures } from './move-pictures.ts';
import { openBucket } from './s3-bucket.ts';
import { openS3Media } from './s3-media.ts';
import { startS3Server } from '#test/s3-server.ts';

const database = useTestDatabase();
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-media-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

let s3: Awaited<ReturnType<typeof startS3Server>>;
beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(() => s3.close());
afterEach(async () => {
  for (const name of await inBucket().list()) await inBucket().remove(name);
});

const inBucket = () => openS3Media(openBucket(s3.place));
const inFolder = () => openFolderMedia(path.join(folder, 'media'));
const inDatabase = () => openDatabaseMedia(askBy(database.pool), async () => 5);
const bytesOf = async (store: MediaStore, name: string) => {
  const found = await store.find(name);
  return found ? buffer(found.read()) : null;
};

describe.each([
  ['a folder', inFolder],
  ['the database', inDatabase],
  ['a bucket', inBucket],
  ['the database before a folder', () => joinMedia([inDatabase(), inFolder()])],
])('pictures in %s', (_where, open) => {
  it('returns pictures exactly as they were written, however large', async () => {
    const store = open();
    const large = Buffer.alloc(700_001, 'pixels');
    await store.write('shop/large-1.webp', large);
    await store.write('small-2.svg', Buffer.from('<svg/>'));
    expect(await store.find('shop/large-1.webp')).toMatchObject({ bytes: large.length });
    expect((await bytesOf(store, 'shop/large-1.webp'))?.equals(large)).toBe(true);
    expect(String(await bytesOf(store, 'small-2.svg'))).toBe('<svg/>');
    const { writtenAt } = (await store.find('small-2.svg')) ?? {};
    expect(Math.abs(Date.now() - Number(writtenAt))).toBeLessThan(60_000);
  });

  it('lists and removes all pictures, or those of one folder', async () => {
    const store = open();
    for (const name of ['a-1/x.webp', 'a-10/x.webp', 'a-1/y.avif', 'z.png']) {
      await store.write(name, Buffer.from(name));
    }
    expect(await store.list()).toEqual(['a-1/x.webp', 'a-1/y.avif', 'a-10/x.webp', 'z.png']);
    expect(await store.list('a-1')).toEqual(['a-1/x.webp', 'a-1/y.avif']);
    expect((await store.listFolders()).toSorted()).toEqual(['a-1', 'a-10']);
    await store.remove('a-1/x.webp');
    await store.remove('a-1/never.webp');
    expect(await store.find('a-1/x.webp')).toBeNull();
    expect(await store.list('a-1')).toEqual(['a-1/y.avif']);
  });

  it('accepts only valid picture names', async () => {
    const store = open();
    for (const name of ['../a.webp', 'a.txt', 'A.webp', 'a/b/c.webp', '']) {
      await expect(store.write(name, Buffer.from('x')), name).rejects.toThrow('is not a name');
      expect(await store.find(name), name).toBeNull();
    }
  });

  it('reports the free space of a picture store', async () => {
    expect(await open().countFreeBytes()).toBeGreaterThan(0);
  });
});

it('leaves no picture in the database when a transaction is rolled back', async () => {
  const client = await database.pool.connect();
  await client.query('begin');
  const within = joinMedia([inDatabase(), inFolder()]).within(askBy(client));
  await within.write('logo-1.webp', Buffer.from('x'));
  expect(await within.find('logo-1.webp')).toMatchObject({ bytes: 1 });
  await client.query('rollback');
  client.release();
  expect(await inDatabase().find('logo-1.webp')).toBeNull();
});

it('throws an error instead of returning half a picture when it is removed during a read', async () => {
  const store = inDatabase();
  await store.write('logo-1.webp', Buffer.alloc(600_000));
  const found = await store.find('logo-1.webp');
  await store.remove('logo-1.webp');
  if (!found) throw new Error('The picture is not there.');
  await expect(buffer(found.read())).rejects.toThrow('was removed while it was read');
});

describe('moving pictures', () => {
  const names = ['shop/a-1.webp', 'shop/b-2.webp', 'c-3.webp'];
  const fill = async (store: MediaStore) => {
    for (const name of names) await store.write(name, Buffer.from(name));
  };

  it('keeps pictures readable wherever a move is interrupted, and completes it in the next run', async () => {
    const [from, to] = [inFolder(), inDatabase()];
    const shown = joinMedia([to, from]);
    await fill(from);
    for (let stop = 1; stop <= 2; stop++) {
      const tell = () => {
        throw new Error('stopped');
      };
      await expect(movePictures(from, to, { keep: false, tell })).rejects.toThrow('stopped');
      expect(await to.list()).toHaveLength(stop);
      for (const name of names) expect(String(await bytesOf(shown, name))).toBe(name);
    }
    expect(await movePictures(from, to, { keep: false })).toEqual({
      moved: 1,
      bytes: 13,
      there: 0,
    });
    expect([await from.list(), await to.list()]).toEqual([[], names.toSorted()]);
  });

  it('moves pictures to a bucket and back', async () => {
    await fill(inDatabase());
    const done = { moved: 3, bytes: 34, there: 0 };
    expect(await movePictures(inDatabase(), inBucket(), { keep: false })).toEqual(done);
    expect(await inDatabase().list()).toEqual([]);
    expect(await movePictures(inBucket(), inFolder(), { keep: false })).toEqual(done);
    expect(await inFolder().list()).toEqual(names.toSorted());
    expect(await inBucket().list()).toEqual([]);
  });

  it('replaces partial copies of moved pictures, and keeps the originals on request', async () => {
    const [from, to] = [inDatabase(), inFolder()];
    await fill(from);
    await to.write('c-3.webp', Buffer.from('c-'));
    await to.write('shop/a-1.webp', Buffer.from('shop/a-1.webp'));
    expect(await movePictures(from, to, { keep: true })).toEqual({ moved: 2, bytes: 21, there: 1 });
    expect(String(await bytesOf(to, 'c-3.webp'))).toBe('c-3.webp');
    expect(await from.list()).toHaveLength(3);
  });
});
