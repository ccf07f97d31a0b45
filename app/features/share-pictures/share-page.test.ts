import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';
import { checkDiscounts } from '#app/features/prices/check-discounts.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { useTestDatabase } from '#test/database.ts';
import {
  insertBlogPost,
  insertCategory,
  insertDeal,
  insertMerchant,
} from '#test/factories/insert.ts';
import { plantDeal } from '#test/factories/plant-prices.ts';
import { testOrigin } from '#test/origin.ts';
import { testServices } from '#test/services.ts';
import { testSite, type TestSite } from '#test/site.ts';

const database = useTestDatabase();
let site: TestSite;

beforeEach(() => {
  site = testSite(database);
});

async function headOf(path: string) {
  const { html } = await site.page(path);
  const tags = html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g);
  return new Map([...tags].map(([, name = '', content = '']) => [name, content] as const));
}
const pathOf = async (page: string) =>
  (await headOf(page)).get('og:image')?.replace(testOrigin, '') ?? '';
async function get(path: string) {
  const response = await site.request(path);
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}
const statusOf = async (path: string) => (await get(path)).status;

async function storePicture(name: string, color: string) {
  const picture = sharp({ create: { width: 640, height: 480, channels: 3, background: color } });
  await openMedia(testServices(database)).write(name, await picture.webp().toBuffer());
  return `/media/${name}`;
}

/** Returns the red and green values of a page's share picture at a point. */
async function colorAt(page: string, left: number, top: number) {
  const { body } = await get(await pathOf(page));
  const part = sharp(body).extract({ left, top, width: 2, height: 2 }).removeAlpha().raw();
  const [red = 0, green = 0] = await part.toBuffer();
  return [red > 150, green > 150];
}
const red = [true, false];

const pages = [
  [
    'category',
    '/categories/lamps',
    'Lamps. 1 live deal',
    async () => {
      const { id } = await insertCategory(database.db, { slug: 'lamps', name: 'Lamps' });
      await insertDeal(database.db, { category_id: id });
      return id;
    },
  ],
  [
    'merchant',
    '/merchants/oakhaft',
    'Oakhaft. 1 live deal',
    async () => {
      const { id } = await insertMerchant(database.db, { slug: 'oakhaft', name: 'Oakhaft' });
      await insertDeal(database.db, { merchant_id: id });
      return id;
    },
  ],
  [
    'post',
    '/blog/lamps',
    'How to choose a lamp. May 4, 2026',
    async () => {
      const published_at = new Date('2026-05-04T12:00:00Z');
      const post = { slug: 'lamps', title: 'How to choose a lamp', published_at };
      return (await insertBlogPost(database.db, post)).id;
    },
  ],
] as const;

test.each(pages)(
  'describes and serves the share picture of a %s',
  async (kind, page, alt, insert) => {
    const id = await insert();
    const head = await headOf(page);
    const address = head.get('og:image') ?? '';
    expect(address).toMatch(
      new RegExp(`^${testOrigin}/share-pictures/${kind}-${id}-[0-9a-f]{12}\\.jpg$`),
    );
    expect(Object.fromEntries(head)).toMatchObject({
      'og:image:type': 'image/jpeg',
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': alt,
      'twitter:card': 'summary_large_image',
      'twitter:image': address,
      'twitter:image:alt': alt,
    });
    const response = await site.request(address.replace(testOrigin, ''));
    expect(response.headers.get('content-type')).toBe('image/jpeg');
    // The route finds the same picture, so caches may keep it as long as any current one.
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
    const body = Buffer.from(await response.arrayBuffer());
    expect(await sharp(body).metadata()).toMatchObject({
      format: 'jpeg',
      width: 1200,
      height: 630,
    });
    expect(body.length).toBeLessThan(150_000);
  },
);

test('returns 404 for an unknown id and for a post that is not public', async () => {
  const post = await insertBlogPost(database.db, { slug: 'lamps' });
  const path = await pathOf('/blog/lamps');
  const set = (values: object) =>
    database.db.updateTable('blog_posts').set(values).where('id', '=', post.id).execute();
  const unknown = ['category', 'merchant', 'post', 'page'].map(
    (kind) => `/share-pictures/${kind}-999999-0123456789ab.jpg`,
  );
  expect(await Promise.all(unknown.map(statusOf))).toEqual([404, 404, 404, 404]);
  expect(await statusOf(path)).toBe(200);
  await set({ is_published: false });
  expect(await statusOf(path)).toBe(404);
  await set({ is_published: true, published_at: new Date(Date.now() + 3_600_000) });
  expect(await statusOf(path)).toBe(404);
});

test('shows the stored pictures of a category’s live deals, and no price', async () => {
  const { id } = await insertCategory(database.db, { slug: 'lamps', name: 'Lamps' });
  const image_url = await storePicture('shop/lamp-ab12-640.webp', '#c81e1e');
  const deal = { category_id: id, sale_price: 3_900 };
  await insertDeal(database.db, { ...deal, image_url: 'https://shop.example/lamp.jpg' });
  const { id: shown } = await insertDeal(database.db, { ...deal, image_url });
  expect(await colorAt('/categories/lamps', 172, 474)).toEqual(red);
  const before = await pathOf('/categories/lamps');
  const change = (values: object) =>
    database.db.updateTable('deals').set(values).where('id', '=', shown).execute();
  await change({ sale_price: 2_900 });
  expect(await pathOf('/categories/lamps')).toBe(before);
  await change({ expires_at: new Date(Date.now() - 60_000) });
  expect(await colorAt('/categories/lamps', 172, 474)).not.toEqual(red);
});

test('shows a changed picture of a category’s deal at the same URL', async () => {
  const { id: category_id } = await insertCategory(database.db, { slug: 'lamps' });
  const image_url = await storePicture('shop/lamp-ab12-640.webp', '#1e1ec8');
  const { id } = await insertDeal(database.db, { category_id, image_url });
  const path = await pathOf('/categories/lamps');
  expect(await colorAt('/categories/lamps', 172, 474)).not.toEqual(red);
  const other = { image_url: await storePicture('shop/lamp-cd34-640.webp', '#c81e1e') };
  await database.db.updateTable('deals').set(other).where('id', '=', id).execute();
  expect(await pathOf('/categories/lamps')).toBe(path);
  expect(await colorAt('/categories/lamps', 172, 474)).toEqual(red);
});

test('reads a category’s pictures from the list that its page shows', async () => {
  await insertCategory(database.db, { slug: 'lamps' });
  const lists: string[] = [];
  const readCached: AppServices['readCached'] = (name, _tags, read) => {
    if (name.startsWith('list ')) lists.push(name);
    return read();
  };
  const reading = testSite(database, { readCached });
  await reading.page('/categories/lamps');
  expect(lists).toHaveLength(1);
  await reading.request(await pathOf('/categories/lamps'));
  expect(lists).toHaveLength(2);
  expect(lists[0]).toBe(lists[1]);
});

test('shows a store’s logo and a post’s picture in share pictures', async () => {
  const address = await storePicture('library/ab12-640.webp', '#c81e1e');
  await insertMerchant(database.db, { slug: 'oakhaft', logo_url: address });
  await insertBlogPost(database.db, { slug: 'lamps', featured_image_url: address });
  expect(await colorAt('/merchants/oakhaft', 940, 250)).toEqual(red);
  expect(await colorAt('/blog/lamps', 940, 250)).toEqual(red);
});

test.each(['Is this price real?', 'Save $20 now!', 'And so on…', 'Lamps of Oakhaft Inc.'])(
  'describes the picture of "%s" without a second final punctuation mark',
  async (title) => {
    const published_at = new Date('2026-05-04T12:00:00Z');
    await insertBlogPost(database.db, { slug: 'lamps', title, published_at });
    expect((await headOf('/blog/lamps')).get('og:image:alt')).toBe(`${title} May 4, 2026`);
  },
);

test('shares a post’s own picture if it is not stored on the site', async () => {
  const own = 'https://pictures.example/lamp.jpg';
  await insertBlogPost(database.db, { slug: 'lamps', featured_image_url: own });
  expect((await headOf('/blog/lamps')).get('og:image')).toBe(own);
});

test('repeats the verdict of the store’s discount check in the share picture', async () => {
  const { id } = await insertMerchant(database.db, { slug: 'oakhaft', name: 'Oakhaft' });
  const lines = [
    { daysAgo: 100, price: 10_000 },
    { daysAgo: 20, price: 13_000 },
    { daysAgo: 8, price: 10_000, struck: 13_000 },
  ];
  await plantDeal(database.db, lines, { merchant_id: id });
  const before = await pathOf('/merchants/oakhaft');
  await checkDiscounts(database);
  const head = await headOf('/merchants/oakhaft');
  const verdict = '0 of 1 checked reduction matched our log.';
  expect(head.get('og:image:alt')).toBe(`Oakhaft. 1 live deal. ${verdict}`);
  expect((await site.page('/merchants/oakhaft')).html).toContain(verdict);
  expect(await pathOf('/merchants/oakhaft')).not.toBe(before);
});
