import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { storeBrandPicture } from './brand-pictures.server.ts';
import { brandStyleAddress, readBrandStyle } from './brand-style.server.ts';
import { drawIcon } from './draw-icon.server.ts';
import { iconFiles, readIconName } from './icon-files.ts';
import {
  drawSharePicture,
  findSharePicture,
  readShareName,
  sharePictureAddress,
} from './share-picture.server.ts';

const database = useTestDatabase();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'brand-'));
});
afterAll(() => rm(folder, { recursive: true }));
const services = () => ({
  db: database.db,
  env: readEnv({ NODE_ENV: 'test', DATA_DIR: folder }),
});

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
const svg = (content: string, size = 'width="24" height="24"') =>
  new Blob([`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${content}</svg>`]);

async function readStored(url: string) {
  const found = await openMedia(services()).find(url.replace('/media/', ''));
  if (!found) throw new Error(`${url} is not stored`);
  return buffer(found.read());
}

async function storeIcon(source: Blob) {
  const stored = await storeBrandPicture(services(), 'iconUrl', source);
  if (!stored.ok) throw new Error(stored.message);
  return readStored(stored.url);
}

test('shrinks a logo, and returns the same URL when it is uploaded again', async () => {
  const file = new Blob([await plain(2000, 1000)]);
  const stored = await storeBrandPicture(services(), 'logoUrl', file);
  if (!stored.ok) throw new Error(stored.message);
  expect(stored.url).toMatch(/^\/media\/site\/logo-[\da-f]{12}\.webp$/);
  const logo = await sharp(await readStored(stored.url)).metadata();
  expect(logo).toMatchObject({ format: 'webp', width: 176, height: 88 });
  expect(await storeBrandPicture(services(), 'logoUrl', file)).toEqual(stored);
});

test('draws a small SVG at full size', async () => {
  const shape = svg('<rect width="24" height="24" fill="#0b6650"/>', 'viewBox="0 0 24 24"');
  expect(await sharp(await storeIcon(shape)).metadata()).toMatchObject({ width: 512, height: 512 });
});

test('R29: fetches a logo by URL, but never from a private network', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'image/svg+xml');
    response.end(
      '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50"><rect width="9" height="9"/></svg>',
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as { port: number };
  const address = `http://127.0.0.1:${port}/logo.svg`;
  try {
    expect(await storeBrandPicture(services(), 'logoUrl', address)).toMatchObject({ ok: false });
    const allowed = { allowPrivate: true };
    const stored = await storeBrandPicture(services(), 'logoUrl', address, allowed);
    expect(stored).toMatchObject({ ok: true });
  } finally {
    server.close();
  }
});

test.each([
  ['a page', new Blob(['<html>'])],
  ['an empty file', new Blob([])],
  ['an SVG of a million pixels a side', svg('', 'width="1000000" height="1000000"')],
  [
    'an SVG with nested entities',
    new Blob([
      `<!DOCTYPE svg [<!ENTITY a0 "x">${Array.from({ length: 12 }, (_one, at) => `<!ENTITY a${at + 1} "${`&a${at};`.repeat(10)}">`).join('')}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&a12;</text></svg>`,
    ]),
  ],
])('refuses %s as a picture', async (_name, file) => {
  const stored = await storeBrandPicture(services(), 'logoUrl', file);
  expect(stored).toMatchObject({ ok: false, message: expect.any(String) });
});

test('refuses an invalid URL', async () => {
  expect(await storeBrandPicture(services(), 'logoUrl', 'javascript:alert(1)')).toEqual({
    ok: false,
    message: 'Must be a valid URL',
  });
});

test('does not store the scripts of an SVG, and loads nothing that the SVG references', async () => {
  const hostile = svg(
    '<script>alert(1)</script><image href="file:///etc/passwd" width="9" height="9"/><rect width="24" height="24" fill="#00f" onload="alert(1)"/>',
  );
  const master = await storeIcon(hostile);
  expect(master.includes('script')).toBe(false);
  expect((await sharp(master).stats()).dominant.b).toBeGreaterThan(200);
});

test('refuses an icon that would be blurred, and names its size', async () => {
  const stored = await storeBrandPicture(services(), 'iconUrl', new Blob([await plain(64, 64)]));
  expect(stored).toMatchObject({ ok: false });
  expect(JSON.stringify(stored)).toContain('64 × 64 pixels');
});

test('draws every icon at its size', async () => {
  const master = await storeIcon(new Blob([await plain(300, 300)]));
  for (const file of iconFiles.filter((one) => one !== 'ico')) {
    const side = Number(/\d+$/.exec(file)?.[0]);
    const drawn = await sharp(await drawIcon(master, file)).metadata();
    expect(drawn, file).toMatchObject({ format: 'png', width: side, height: side });
  }
});

test('combines three sizes in favicon.ico', async () => {
  const ico = await drawIcon(await storeIcon(new Blob([await plain(300, 300)])), 'ico');
  expect([ico.readUInt16LE(0), ico.readUInt16LE(2), ico.readUInt16LE(4)]).toEqual([0, 1, 3]);
  for (const [index, side] of [16, 32, 48].entries()) {
    const entry = ico.subarray(6 + 16 * index);
    const [bytes, offset] = [entry.readUInt32LE(8), entry.readUInt32LE(12)];
    const picture = await sharp(ico.subarray(offset, offset + bytes)).metadata();
    expect([entry[0], picture.width, picture.height]).toEqual([side, side, side]);
  }
});

test('places a transparent icon on white, within the safe zone', async () => {
  const circle = svg('<circle cx="12" cy="12" r="12" fill="#f00"/>');
  const maskable = await drawIcon(await storeIcon(circle), 'maskable-512');
  const { data, info } = await sharp(maskable).raw().toBuffer({ resolveWithObject: true });
  expect(info.channels).toBe(3);
  let farthest = 0;
  for (let y = 0; y < 512; y += 1) {
    for (let x = 0; x < 512; x += 1) {
      const isPaper = (data[(y * 512 + x) * 3 + 1] ?? 0) > 200;
      if (!isPaper) farthest = Math.max(farthest, Math.hypot(x - 256, y - 256));
    }
  }
  expect(farthest).toBeGreaterThan(120);
  expect(farthest).toBeLessThanOrEqual(0.4 * 512);
});

test('extends the background of an opaque icon', async () => {
  const icon = await drawIcon(await storeIcon(new Blob([await plain(300, 300)])), 'maskable-512');
  const corner = await sharp(icon).raw().toBuffer();
  expect([...corner.subarray(0, 3)]).toEqual([255, 0, 0]);
  const touch = await drawIcon(await storeIcon(new Blob([await plain(300, 300)])), '180');
  expect((await sharp(touch).stats()).isOpaque).toBe(true);
});

test.each(['icon-xyz-32.png', 'icon-0123456789ab-33.png', 'icon-0123456789ab-ico.png', '../x'])(
  'returns no icon for %s',
  (name) => {
    expect(readIconName(name)).toBeNull();
  },
);

test('writes a stylesheet whose URL names the accent', () => {
  expect(brandStyleAddress({ accent: '', font: '' })).toBeNull();
  const address = brandStyleAddress({ accent: '#ffd400', font: '' }) ?? '';
  expect(address).toMatch(/^\/brand\/theme-ffd400-[\da-f]{8}\.css$/);
  const read = readBrandStyle(address.slice('/brand/'.length));
  expect(read?.isCurrent).toBe(true);
  expect(read?.css).toMatch(/^@layer tokens\{:root\{[^}]*--fill:#ffd400;/);
  expect(readBrandStyle('theme-ffd400-00000000.css')?.isCurrent).toBe(false);
  expect(readBrandStyle('theme-red-00000000.css')).toBeNull();
});

const noBrand = { siteName: 'Deal Hub', accent: '', logoUrl: '', iconUrl: '' };

test.each([
  [{}, '/art/share.png'],
  [{ siteName: 'Bargains' }, '/brand/share-own-mark-1.png'],
  [{ accent: '#ffd400' }, '/brand/share-ffd400-mark-1.png'],
  [{ iconUrl: '/media/site/icon-0123456789ab.png' }, '/brand/share-own-icon-0123456789ab-1.png'],
  [
    {
      logoUrl: '/media/site/logo-ba9876543210.webp',
      iconUrl: '/media/site/icon-0123456789ab.png',
    },
    '/brand/share-own-logo-ba9876543210-1.png',
  ],
])('lists everything that the share picture of %o depends on', (brand, address) => {
  expect(sharePictureAddress({ ...noBrand, ...brand })).toBe(address);
});

test('draws a share picture with the logo and the accent', async () => {
  const logo = await sharp(await plain(440, 88))
    .webp()
    .toBuffer();
  const drawn = sharp(await drawSharePicture('#ffd400', logo));
  expect(await drawn.metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
  const pixels = await drawn.removeAlpha().raw().toBuffer();
  const at = (x: number, y: number) => [
    ...pixels.subarray((y * 1200 + x) * 3, (y * 1200 + x) * 3 + 3),
  ];
  const [red = 0, green = 255] = at(400, 210);
  expect(red).toBeGreaterThan(245);
  expect(green).toBeLessThan(10);
  expect(at(1000, 210)).toEqual([250, 249, 246]);
  const ours = await sharp(await drawSharePicture('', null)).stats();
  expect(ours.channels[1]?.mean).not.toBeCloseTo((await drawn.stats()).channels[1]?.mean ?? 0, 0);
});

test('returns no share picture if the logo is gone or the name is unknown', async () => {
  const media = openMedia(services());
  const known = readShareName('share-own-logo-000000000000-1.png');
  expect(known).toEqual({ accent: '', file: 'site/logo-000000000000.webp' });
  expect(known && (await findSharePicture(media, known))).toBeNull();
  const mark = readShareName('share-own-mark-1.png');
  const draw = mark && (await findSharePicture(media, mark));
  expect((await draw?.())?.length).toBeGreaterThan(3_000);
  for (const name of ['share-red-mark-1.png', 'share-own-logo-../../x-1.png', 'share-own-1.png'])
    expect(readShareName(name), name).toBeNull();
});
