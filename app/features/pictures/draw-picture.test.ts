import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { RefusedPicture, UnreadablePicture } from '#app/platform/open-picture.server.ts';
import { drawPicture } from './draw-picture.server.ts';

const plain = (width: number, height: number, background = '#c33') =>
  sharp({ create: { width, height, channels: 3, background } });

describe('a copy', () => {
  test('draws a copy as small 4:3 files in both formats, without metadata of the original', async () => {
    const original = await plain(4000, 3000)
      .withExif({ IFD0: { Copyright: 'Somebody', Software: 'Camera' } })
      .jpeg()
      .toBuffer();
    const { widest, files } = await drawPicture(original);
    expect(widest).toBe(960);
    expect(files.map(({ box, format }) => `${box} ${format}`)).toEqual([
      '160 avif',
      '160 webp',
      '320 avif',
      '320 webp',
      '640 avif',
      '640 webp',
      '960 avif',
    ]);
    for (const { box, content } of files) {
      const { width, height, exif, xmp, icc } = await sharp(content).metadata();
      expect([width, height, exif, xmp, icc]).toEqual([
        box,
        box * 0.75,
        undefined,
        undefined,
        undefined,
      ]);
      expect(content.includes('Somebody')).toBe(false);
    }
  });

  test('draws a copy in the visible orientation', async () => {
    const lying = await plain(400, 200).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { files } = await drawPicture(lying);
    const { width, height } = await sharp(files.at(-1)?.content).metadata();
    expect([width, height]).toEqual([200, 400]);
  });

  test.each([
    ['a CMYK photo', () => plain(300, 300).toColourspace('cmyk').jpeg()],
    ['a picture with 16 bits per channel', () => plain(300, 300).toColourspace('rgb16').png()],
    ['an animation', () => plain(300, 300).gif()],
    ['a greyscale picture', () => plain(300, 300).greyscale().png()],
  ])('keeps the colors in a copy of %s', async (what, original) => {
    const { files } = await drawPicture(await original().toBuffer());
    const drawn = await sharp(files.find(({ format }) => format === 'webp')?.content).stats();
    const [red = 0, green = 0] = drawn.channels.map(({ mean }) => mean);
    expect(red > green + 100).toBe(!what.includes('greyscale'));
  });

  test('keeps a copy transparent where the original is', async () => {
    const clear = sharp({
      create: { width: 200, height: 200, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    });
    const { files } = await drawPicture(await clear.png().toBuffer());
    for (const { content } of files) {
      expect((await sharp(content).stats()).isOpaque).toBe(false);
    }
  });
});

describe('rejects', () => {
  test.each([
    [
      'an SVG, which may contain scripts',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"/>'),
      'is SVG, not a photo',
    ],
    ['50 megapixels', () => plain(8660, 5774).png().toBuffer(), 'has 50 megapixels, more than 25'],
    ['a tracking pixel', () => plain(1, 1).gif().toBuffer(), 'has only 1 × 1 pixels'],
  ])('rejects the original %s', async (_what, original, reason) => {
    const drawing = drawPicture(await original());
    await expect(drawing).rejects.toThrow(RefusedPicture);
    await expect(drawing).rejects.toThrow(reason);
  });
});

describe('removes all metadata from files that browsers may get', () => {
  test.each([
    ['text', async () => Buffer.from('<!doctype html><p>Not found'), 'is not a picture'],
    ['nothing', async () => Buffer.alloc(0), 'is empty'],
    [
      'half a picture',
      async () =>
        (await plain(600, 600).png({ compressionLevel: 0 }).toBuffer()).subarray(0, 9_000),
      'is damaged',
    ],
  ])(
    'keeps no metadata in a copy that browsers get, and rejects %s',
    async (_what, original, reason) => {
      const drawing = drawPicture(await original());
      await expect(drawing).rejects.toThrow(UnreadablePicture);
      await expect(drawing).rejects.toThrow(reason);
    },
  );
});
