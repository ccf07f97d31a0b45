import { Readable } from 'node:stream';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { openMedia } from '#app/platform/open-media.server.ts';
import { drawShareCard } from './draw-share-card.server.ts';
import type { ShareCard } from './share-card.server.ts';
import { dealCard, type SharedDeal } from './share-deal.server.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 5, 1);
const steps = [
  { at: new Date(now - 60 * day), price: 6_300, isOffer: true },
  { at: new Date(now - 9 * day), price: 3_900, isOffer: true },
  { at: new Date(now), price: 3_900, isOffer: true },
];

const lamp: SharedDeal = {
  title: 'Desk lamp',
  store: 'Oakhaft',
  price: '$39',
  rest: ', usually $63: lower than on 51 of the last 60 days',
  lineSince: '2026-05-23T00:00:00.000Z',
  linePrices: [6_300, 3_900],
  isExpired: false,
  picture: null,
  site: { siteName: 'Deal Hub', accent: '', logoUrl: '' },
};

type Media = ReturnType<typeof openMedia>;

const drawDeal = (media: Media, shared: SharedDeal, log: typeof steps) =>
  drawShareCard(media, dealCard(shared), log);

/** An in-memory picture store that counts how often it is read. */
function mediaOf(files: Record<string, Uint8Array>) {
  const asked: string[] = [];
  const find = (name: string) => {
    asked.push(name);
    const bytes = files[name];
    return Promise.resolve(bytes && { read: () => [bytes] });
  };
  return { asked, media: { find } as unknown as Media };
}

/** Returns whether a part of the picture shows anything but its background. */
async function hasInk(
  picture: Buffer,
  [left, top, width, height]: [number, number, number, number],
) {
  const part = await sharp(picture).extract({ left, top, width, height }).png().toBuffer();
  const { channels } = await sharp(part).stats();
  return channels.some(({ min }) => min < 200);
}

const lineArea: [number, number, number, number] = [64, 480, 1072, 110];
const titleArea: [number, number, number, number] = [64, 150, 600, 60];

test('draws the price line only if the deal has a price log', async () => {
  const { media } = mediaOf({});
  expect(await hasInk(await drawDeal(media, lamp, steps), lineArea)).toBe(true);
  expect(await hasInk(await drawDeal(media, lamp, []), lineArea)).toBe(false);
});

test('draws a title in Cyrillic, which the fonts contain', async () => {
  const { media } = mediaOf({});
  const draw = (title: string) => drawDeal(media, { ...lamp, title, price: null }, []);
  expect(await draw('Настольная лампа')).not.toEqual(await draw('Desk lamp'));
  expect(await hasInk(await draw('Настольная лампа'), titleArea)).toBe(true);
});

test('limits a share picture to 150 kB even with the noisiest pictures and a long title', async () => {
  let last = 1;
  const noise = async (width: number, height: number) => {
    const bytes = Buffer.alloc(width * height * 3).map(
      () => (last = (last * 48_271) % 2_147_483_647),
    );
    const raw = { width, height, channels: 3 } as const;
    return sharp(bytes, { raw }).webp({ lossless: true }).toBuffer();
  };
  const { media, asked } = mediaOf({
    'shop/lamp-308.webp': await noise(308, 188),
    'site/logo.webp': await noise(340, 52),
  });
  const picture = '/media/shop/lamp-308.webp';
  const card: ShareCard = {
    ...dealCard({ ...lamp, title: 'Wägeschrank & Regal '.repeat(10) }),
    pictures: [picture, picture, picture],
    layout: 'row',
    site: { ...lamp.site, logoUrl: '/media/site/logo.webp' },
  };
  const drawn = await drawShareCard(media, card, []);
  expect(asked).toHaveLength(4);
  expect(drawn.length).toBeLessThan(150_000);
  expect(await sharp(drawn).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
});

test('shows the owner’s accent and logo on a share picture, or our mark without a logo', async () => {
  const logo = sharp({ create: { width: 340, height: 52, channels: 3, background: '#00c000' } });
  const { media, asked } = mediaOf({
    'site/logo-0123456789ab.webp': await logo.webp().toBuffer(),
  });
  const logoUrl = '/media/site/logo-0123456789ab.webp';
  const site = { siteName: 'Deal Hub', accent: '#ff0000', logoUrl };
  const drawn = await drawDeal(media, { ...lamp, site }, steps);
  expect(asked).toEqual(['site/logo-0123456789ab.webp']);
  const colorAt = async (left: number, top: number) => {
    const part = sharp(drawn).extract({ left, top, width: 4, height: 4 }).removeAlpha();
    return [...(await part.raw().toBuffer())].slice(0, 3);
  };
  const [, green = 0, blue = 255] = await colorAt(200, 88);
  expect([green > 150, blue < 80]).toEqual([true, true]);
  const [red = 0, other = 255] = await colorAt(600, 4);
  expect([red > 150, other < 80]).toEqual([true, true]);
});

test('does not request pictures from other hosts for a share picture', async () => {
  const { media, asked } = mediaOf({});
  const picture = 'https://shop.example/lamp.jpg';
  await drawDeal(media, { ...lamp, picture }, steps);
  expect(asked).toEqual([]);
});

test('fails if a stored picture cannot be read, so that no incomplete share picture is cached', async () => {
  const read = () => Readable.from([]).destroy(new Error('The disk failed.'));
  const media = { find: () => Promise.resolve({ read }) } as unknown as Media;
  const picture = '/media/shop/lamp-640.webp';
  await expect(drawDeal(media, { ...lamp, picture }, [])).rejects.toThrow('The disk failed.');
});

test.each([
  ['a price wider than the picture', { price: `CHF ${'9'.repeat(80)}` }],
  ['an endless verdict', { rest: `, ${'usually '.repeat(200)}` }],
  ['an endless store', { store: 'Store '.repeat(100), price: null }],
  [
    'no text that the fonts hold',
    { title: '灯', store: '店', site: { ...lamp.site, siteName: '店' } },
  ],
])('keeps the margins of a share picture with %s', async (_, more) => {
  const drawn = await drawDeal(mediaOf({}).media, { ...lamp, ...more }, steps);
  expect(await hasInk(drawn, [1160, 20, 40, 600])).toBe(false);
  expect(await hasInk(drawn, [0, 20, 40, 600])).toBe(false);
});

test('makes a wide price smaller if the store’s name would not fit beside it', async () => {
  const { media } = mediaOf({});
  const wide = { ...lamp, price: '1.234.567.890,12 €', rest: '' };
  const draw = (store: string) => drawDeal(media, { ...wide, store }, []);
  const shown = await draw('Московский магазин обоев A');
  expect(shown.equals(await draw('Московский магазин обоев B'))).toBe(false);
});

test('shortens the name of a store instead of drawing it too small to read', async () => {
  const { media } = mediaOf({});
  const draw = (store: string) => drawDeal(media, { ...lamp, price: null, store }, []);
  const long = 'Oakhaft and Daughters Furniture of All Kinds '.repeat(3);
  expect((await draw(long)).equals(await draw(`${long}and More`))).toBe(true);
});
