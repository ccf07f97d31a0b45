import { describe, expect, test } from 'vitest';
import * as fc from '#test/fast-check.ts';
import { boxesFor, filesOf, pictureSources, thumbnail } from './picture-files.ts';

describe('the sizes of a copy', () => {
  test.each([
    ['a camera photo', 4000, 3000, [160, 320, 640, 960]],
    ['a tall picture, whose height counts', 600, 1200, [160, 320, 640, 960]],
    ['a square picture', 300, 300, [160, 320, 400]],
    ['a picture slightly wider than a card on a dense screen', 700, 400, [160, 320, 700]],
    ['a picture as wide as that card', 640, 480, [160, 320, 640]],
    ['a small picture', 170, 100, [170]],
    ['a tiny picture', 20, 8, [20]],
  ])('computes the sizes of a copy for %s', (_what, width, height, boxes) => {
    expect(boxesFor({ width, height })).toEqual(boxes);
  });

  test('never exceeds the picture’s size, grows by at least a quarter, and includes the size in the file name', () => {
    const side = fc.integer({ min: 1, max: 20_000 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        const boxes = boxesFor({ width, height });
        const widest = boxes.at(-1) ?? 0;
        expect(widest).toBeLessThanOrEqual(Math.max(width, Math.ceil((height * 4) / 3)));
        for (const [at, box] of boxes.slice(1).entries()) {
          expect(box).toBeGreaterThanOrEqual((boxes[at] ?? 0) * 1.25);
        }
        const avif = filesOf(`pictures-0/1-ab-${widest}`).filter((file) => file.endsWith('.avif'));
        expect(avif).toEqual(boxes.map((box) => `pictures-0/1-ab-${box}.avif`));
      }),
    );
  });
});

describe('the files that browsers can choose from', () => {
  const copy = '/media/pictures-3/2k-41ab07c2-960.avif';
  const at = (box: number, format: string) => `/media/pictures-3/2k-41ab07c2-${box}.${format}`;

  test('offers browsers each size as AVIF, and sizes up to that of a card as WebP', () => {
    expect(pictureSources(copy)).toEqual({
      src: at(640, 'webp'),
      srcSet: [160, 320, 640].map((box) => `${at(box, 'webp')} ${box}w`).join(', '),
      avifSet: [160, 320, 640, 960].map((box) => `${at(box, 'avif')} ${box}w`).join(', '),
    });
  });

  test('limits the offered sizes to the size on the page', () => {
    expect(pictureSources(copy, 320)).toEqual({
      src: at(320, 'webp'),
      srcSet: `${at(160, 'webp')} 160w, ${at(320, 'webp')} 320w`,
      avifSet: `${at(160, 'avif')} 160w, ${at(320, 'avif')} 320w`,
    });
    expect(pictureSources('/media/pictures-0/1-ab-400.avif', 160).avifSet).toBe(
      '/media/pictures-0/1-ab-160.avif 160w',
    );
  });

  test.each([
    'https://shop.example/a.jpg',
    '/media/lamp.webp',
    'https://a.example/media/pictures-1/a-b-960.avif',
  ])('offers a single address for %s', (address) => {
    expect(pictureSources(address)).toEqual({ src: address });
    expect(thumbnail(address)).toBe(address);
  });

  test('uses the smallest file for a thumbnail', () => {
    expect(thumbnail(copy)).toBe(at(160, 'webp'));
    expect(thumbnail('/media/demo/lamp-640.webp')).toBe('/media/demo/lamp-320.webp');
  });
});
