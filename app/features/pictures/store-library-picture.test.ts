import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deletePost } from '#app/features/blog/change-post.server.ts';
import { deleteDeals } from '#app/features/deals/delete-deals.server.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { askBy } from '#database/media-store.ts';
import { namedPictures } from '#database/named-pictures.ts';
import { useTestDatabase } from '#test/database.ts';
import {
  insertBlogPost,
  insertCategory,
  insertDeal,
  insertMerchant,
  insertUser,
} from '#test/factories/insert.ts';
import { testServices } from '#test/services.ts';
import { deleteLibraryPicture, editablePictures, findUsesOf } from './editable-pictures.server.ts';
import { libraryMessages, mostUploadedBytes } from './library-picture.ts';
import { pictureSources } from './picture-files.ts';
import { storeLibraryPicture } from './store-library-picture.server.ts';
import { tidyPictures } from './tidy-pictures-job.server.ts';

const database = useTestDatabase();
let dataDir = '';
let actor = '';
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'library-'));
  actor = (await insertUser(database.db, { role: 'admin' })).id;
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const services = () => testServices(database, { DATA_DIR: dataDir, PICTURE_STORE: 'folder' });
const plain = (width: number, height: number, background = '#c33') =>
  sharp({ create: { width, height, channels: 3, background } });
const store = (bytes: Uint8Array, name = 'lamp.jpg') =>
  storeLibraryPicture(services(), bytes, { name, actor });
const stored = async (bytes: Uint8Array, name?: string) => {
  const result = await store(bytes, name);
  if (!result.ok) throw new Error(result.message);
  return result;
};
const filesIn = () => openMedia(services()).list('library');
const readFile = async (name: string) => {
  const found = await openMedia(services()).find(name);
  return found && buffer(found.read());
};
const rows = () => database.db.selectFrom('library_pictures').selectAll().execute();

describe('storing a picture', () => {
  test('stores every size in both formats, in the visible orientation, without metadata', async () => {
    const photo = await plain(3000, 2000)
      .withExif({ IFD0: { Copyright: 'Somebody' }, IFD3: { GPSLatitude: '1/1 2/1 3/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { picture, isNew } = await stored(photo, 'lamp.jpg');
    expect([isNew, picture.name, picture.width, picture.height]).toEqual([
      true,
      'lamp.jpg',
      800,
      1200,
    ]);
    expect(picture.address).toMatch(/^\/media\/library\/[0-9a-f]{20}-1600\.webp$/);
    const [row] = await rows();
    expect(await filesIn()).toEqual(row?.files.toSorted());
    expect(row?.files).toHaveLength(10);
    for (const file of row?.files ?? []) {
      const { format, exif, xmp, icc, orientation } = await sharp(
        (await readFile(file)) ?? undefined,
      ).metadata();
      expect([format, exif, xmp, icc, orientation]).toEqual([
        file.endsWith('.webp') ? 'webp' : 'heif',
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
    }
  });

  test('offers to pages only sizes of a stored picture that exist', async () => {
    const { picture } = await stored(await plain(2000, 1500).png().toBuffer());
    const { src, srcSet = '', avifSet = '' } = pictureSources(picture.address);
    const files = [src, ...`${srcSet}, ${avifSet}`.split(', ').map((one) => one.split(' ')[0])];
    expect(files).toHaveLength(9);
    for (const file of files) {
      expect(await readFile(file?.slice('/media/'.length) ?? '')).not.toBeNull();
    }
  });

  test('stores a picture once, even if its file differs but looks the same', async () => {
    const bytes = await plain(400, 300).jpeg().toBuffer();
    const first = await stored(bytes, 'first.jpg');
    const again = await stored(bytes, 'again.jpg');
    const described = await sharp(bytes)
      .withExif({ IFD0: { Artist: 'A' } })
      .keepExif()
      .toBuffer();
    const lossless = await sharp(bytes)
      .png()
      .withExif({ IFD0: { Artist: 'B' } })
      .toBuffer();
    const same = await stored(lossless, 'same.png');
    expect(described.equals(bytes)).toBe(false);
    expect([again.isNew, same.isNew]).toEqual([false, false]);
    expect([again.picture, same.picture]).toEqual([first.picture, first.picture]);
    const both = await Promise.all(
      [1, 2].map(async () => stored(await plain(90, 90).png().toBuffer())),
    );
    expect(both.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await rows()).toHaveLength(2);
  });

  test('redraws a known picture when its files are lost', async () => {
    const bytes = await plain(400, 300).jpeg().toBuffer();
    const { picture } = await stored(bytes);
    const files = await filesIn();
    await openMedia(services()).remove(picture.address.slice('/media/'.length));
    expect((await stored(bytes)).picture).toEqual(picture);
    expect(await filesIn()).toEqual(files);
  });

  test('cleans the name of an uploaded file', async () => {
    const bytes = await plain(90, 90).png().toBuffer();
    const { picture } = await stored(bytes, `  a\u0000b\n${'x'.repeat(300)}`);
    expect(picture.name).toBe(`a b ${'x'.repeat(196)}`);
    expect((await stored(await plain(91, 90).png().toBuffer(), ' ')).picture.name).toBe('Picture');
  });

  test.each([
    [
      'an SVG',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      'The file is SVG, not a photo. Use JPEG',
    ],
    [
      'a web page',
      async () => Buffer.from('<!doctype html><script>1</script>'),
      'is not a picture. Use JPEG',
    ],
    ['an empty file', async () => Buffer.alloc(0), 'is empty. Use JPEG'],
    ['a TIFF', () => plain(90, 90).tiff().toBuffer(), 'is TIFF, not a photo'],
    [
      '64 megapixels in a small file',
      () => plain(8000, 8000).png().toBuffer(),
      'has 64 megapixels, more than 40',
    ],
    ['a tracking pixel', () => plain(1, 1).gif().toBuffer(), 'only 1 × 1 pixels'],
    [
      'half a picture',
      async () =>
        (await plain(600, 600).png({ compressionLevel: 0 }).toBuffer()).subarray(0, 9_000),
      'is damaged',
    ],
    ['a huge file', async () => Buffer.alloc(mostUploadedBytes + 1), libraryMessages.tooLarge],
  ])('refuses %s and stores nothing', async (_what, bytes, message) => {
    expect(await store(await bytes())).toEqual({
      ok: false,
      message: expect.stringContaining(message),
    });
    expect([await rows(), await filesIn()]).toEqual([[], []]);
  });

  test('records the upload in the audit log once', async () => {
    const bytes = await plain(90, 90).png().toBuffer();
    const { picture } = await stored(bytes);
    await stored(bytes);
    const entries = await database.db.selectFrom('audit_log').selectAll().execute();
    expect(entries.map((entry) => [entry.action, entry.entity_id, entry.actor])).toEqual([
      ['picture.create', String(picture.id), actor],
    ]);
  });
});

describe('the places of a picture', () => {
  test('finds all deals, merchants, categories, posts, pages, newsletters and settings that show a picture', async () => {
    const { db } = database;
    const { picture } = await stored(await plain(90, 90).png().toBuffer());
    const other = await stored(await plain(91, 90).png().toBuffer());
    const { address } = picture;
    const merchant = await insertMerchant(db, { name: 'Shop', logo_url: address });
    const deal = await insertDeal(db, {
      title: 'Lamp',
      image_url: address,
      merchant_id: merchant.id,
    });
    await db.updateTable('categories').set({ name: 'Light', share_image_url: address }).execute();
    const inText = `<p>x</p><img src="https://deals.example${address.replace('-90', '-160')}">`;
    await insertBlogPost(db, { title: 'Cover', featured_image_url: address, content: inText });
    await db
      .insertInto('newsletters')
      .values({ subject: 'Hello', content: inText + inText })
      .execute();
    await db
      .insertInto('site_settings')
      .values({ name: 'icon', value: JSON.stringify(address), updated_by: null })
      .execute();
    await db
      .insertInto('site_pages')
      .values([
        { slug: 'team', title: 'Team', intro: inText, content: inText },
        { slug: 'press', title: 'Press', intro: `![Lamp](${address})`, content: '' },
      ])
      .execute();
    const [row] = await rows();
    const uses = await findUsesOf(db, row ?? { hash: '' });
    expect(uses.total).toBe(8);
    expect(uses.first.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'category Light',
      `deal ${deal.title}`,
      'merchant Shop',
      'newsletter Hello',
      'page Press',
      'page Team',
      'post Cover',
      'setting icon',
    ]);
    const unused = (await rows()).find(({ id }) => id === other.picture.id);
    expect(await findUsesOf(db, unused ?? { hash: '' })).toEqual({ total: 0, first: [] });
  });

  test('does not delete a picture that a page shows', async () => {
    const { picture } = await stored(await plain(90, 90).png().toBuffer());
    const merchant = await insertMerchant(database.db, { logo_url: picture.address });
    const refused = await deleteLibraryPicture(database.db, picture.id, actor);
    expect(refused).toMatchObject({ ok: false, reason: 'in-use', uses: { total: 1 } });
    await database.db
      .updateTable('merchants')
      .set({ logo_url: null })
      .where('id', '=', merchant.id)
      .execute();
    expect(await deleteLibraryPicture(database.db, picture.id, actor)).toMatchObject({ ok: true });
    expect(await deleteLibraryPicture(database.db, picture.id, actor)).toMatchObject({ ok: false });
  });
});

describe('the files of a deleted picture', () => {
  const age = async () => {
    const old = new Date(Date.now() - 7_200_000);
    for (const file of await filesIn()) await utimes(path.join(dataDir, 'media', file), old, old);
  };

  test('keeps the files of a picture in the trash, and removes them when it leaves the trash', async () => {
    const { db } = database;
    const { picture } = await stored(await plain(90, 90).png().toBuffer());
    const files = await filesIn();
    await deleteLibraryPicture(db, picture.id, actor);
    await age();
    await tidyPictures(services());
    expect(await filesIn()).toEqual(files);
    expect(await namedPictures(askBy(database.pool))).toEqual(files);
    expect(await editablePictures.restore(db, picture.id, actor)).toEqual({ ok: true });
    expect(await namedPictures(askBy(database.pool))).toEqual(files);
    await deleteLibraryPicture(db, picture.id, actor);
    await db.deleteFrom('deleted_rows').execute();
    await tidyPictures(services());
    expect(await filesIn()).toEqual([]);
  });

  const deleteDeal = async (image_url: string) => {
    const { id } = await insertDeal(database.db, { image_url });
    const batch = randomUUID();
    await database.db.transaction().execute((tx) => deleteDeals(tx, { ids: [id], batch, actor }));
  };

  test('keeps files that a deleted deal shows, until it leaves the trash', async () => {
    const { picture } = await stored(await plain(90, 90).png().toBuffer());
    const { db } = database;
    await deleteDeal(picture.address);
    await db.deleteFrom('library_pictures').execute();
    await age();
    await tidyPictures(services());
    expect(await filesIn()).toHaveLength(2);
    await db.deleteFrom('deleted_deals').execute();
    await tidyPictures(services());
    expect(await filesIn()).toEqual([]);
  });

  test('keeps files that a page shows, and all files for an hour after an upload', async () => {
    const { picture } = await stored(await plain(90, 90).png().toBuffer());
    const { db } = database;
    await db.deleteFrom('library_pictures').execute();
    await tidyPictures(services());
    expect(await filesIn()).toHaveLength(2);
    await age();
    const post = await insertBlogPost(db, { content: `<img src="${picture.address}">` });
    await tidyPictures(services());
    expect(await filesIn()).toHaveLength(2);
    await deletePost(db, post.id, actor);
    await tidyPictures(services());
    expect(await filesIn()).toHaveLength(2);
    await db.deleteFrom('deleted_rows').execute();
    await tidyPictures(services());
    expect(await filesIn()).toEqual([]);
  });

  test('backs up a picture that only a page, newsletter, share picture or deleted row refers to', async () => {
    const { db } = database;
    const name = (at: number) => `library/${'ab'.repeat(9)}0${at}-640.webp`;
    const shown = (at: number) => `/media/${name(at)}`;
    await db
      .insertInto('site_pages')
      .values({
        slug: 'team',
        title: 'Team',
        intro: `![](${shown(1)})`,
        content: `![](${shown(2)})`,
      })
      .execute();
    await db
      .insertInto('newsletters')
      .values({ subject: 'Hi', content: shown(3) })
      .execute();
    await insertMerchant(db, { share_image_url: shown(4) });
    await insertCategory(db, { share_image_url: shown(5) });
    const post = await insertBlogPost(db, { content: `<img src="${shown(6)}">` });
    await deletePost(db, post.id, actor);
    await deleteDeal(shown(7));
    expect(await namedPictures(askBy(database.pool))).toEqual([1, 2, 3, 4, 5, 6, 7].map(name));
  });
});
