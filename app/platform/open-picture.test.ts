import sharp from 'sharp';
import { expect, it } from 'vitest';
import { drawAnew, photoFormats } from './open-picture.server.ts';

const limits = { formats: photoFormats, mostPixels: 1_000_000 };
const draw = (bytes: Uint8Array) =>
  drawAnew(bytes, limits, (picture) => picture.resize(8, 8).png().toBuffer());
const photo = (width: number) =>
  sharp({ create: { width, height: 1_000, channels: 3, background: '#808080' } })
    .png()
    .toBuffer();

it('refuses an SVG, which is a program, before it is rendered', async () => {
  const filters = '<filter id="f"><feGaussianBlur stdDeviation="500"/></filter>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900">${filters}<rect width="900" height="900" filter="url(#f)"/></svg>`;
  await expect(draw(Buffer.from(svg))).rejects.toThrow('The file is SVG, not a photo');
});

it('refuses too many pixels, an empty file, and anything that is not a picture', async () => {
  await expect(draw(await photo(1_001))).rejects.toThrow('megapixels, more than 1');
  await expect(draw(Buffer.alloc(0))).rejects.toThrow('is empty');
  await expect(draw(Buffer.from('hello'))).rejects.toThrow('is not a picture');
});

it('redraws pictures one after the other, even after a failure', async () => {
  const order: string[] = [];
  const slow = drawAnew(await photo(100), limits, async (picture) => {
    await picture.png().toBuffer();
    order.push('first');
  });
  const failed = draw(Buffer.from('hello')).catch(() => order.push('failed'));
  const last = drawAnew(await photo(100), limits, async () => void order.push('last'));
  await Promise.all([slow, failed, last]);
  expect(order).toEqual(['first', 'failed', 'last']);
});
