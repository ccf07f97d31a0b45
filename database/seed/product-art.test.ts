import { Parser } from 'htmlparser2';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import palettes from './palettes.json' with { type: 'json' };
import {
  drawProduct,
  merchantMonogram,
  paletteCount,
  paletteOf,
  productKinds,
} from './product-art.ts';

const artOf = (slug: string) => drawProduct('headphones', paletteOf(slug));

describe('product art', () => {
  test('draws the same product art for the same slug, and other colors for another slug', () => {
    expect(artOf('noise-cancelling-headphones')).toBe(artOf('noise-cancelling-headphones'));
    const colours = new Set(Array.from({ length: 60 }, (_, index) => artOf(`deal-${index}`)));
    expect(colours.size).toBe(paletteCount);
  });

  test('draws at least thirty-two different kinds of product art', () => {
    expect(productKinds.length).toBeGreaterThanOrEqual(32);
    expect(new Set(productKinds.map((kind) => drawProduct(kind, 0))).size).toBe(
      productKinds.length,
    );
  });

  test.each(productKinds)('draws %s as balanced XML of at most 2.5 KB in every palette', (kind) => {
    for (let palette = 0; palette < paletteCount; palette += 1) {
      const svg = drawProduct(kind, palette);
      expect(svg.length).toBeLessThan(2560);
      expect(unclosedElements(svg)).toEqual([]);
      expect(svg).not.toMatch(/undefined|NaN|url\(|href|<script/);
    }
  });

  test('draws each of 240 kinds differently, even without colors', () => {
    const shapes = productKinds.map((kind) => withoutColors(drawProduct(kind, 0)));
    expect(productKinds).toHaveLength(240);
    expect(new Set(shapes).size).toBe(240);
  });

  test('draws product pictures of 1.5 KB or less on average', () => {
    const bytes = productKinds.map((kind) => Buffer.byteLength(drawProduct(kind, 0)));
    expect(bytes.reduce((sum, size) => sum + size, 0) / bytes.length).toBeLessThan(1536);
  });

  test('uses only the colors of the palettes, white and translucent black', () => {
    const allowed = new Set(['#fff', ...palettes.flatMap((palette) => Object.values(palette))]);
    for (const kind of productKinds) {
      const shapes = drawProduct(kind, 0).match(/<[^>]+>/g) ?? [];
      const opaque = shapes.filter(
        (shape) => !(shape.includes('#000') && shape.includes('opacity')),
      );
      const colors = opaque.join('').match(/#[0-9a-f]+/g) ?? [];
      expect(colors.filter((color) => !allowed.has(color))).toEqual([]);
    }
  });

  test('keeps every drawing within the canvas and above its lowest tenth', async () => {
    const misplaced: string[] = [];
    for (const kind of productKinds) {
      const { left, top, right, bottom } = await boundsOf(drawProduct(kind, 0));
      const isWithin = left > 0 && right < 640 && top >= 0 && bottom < 432;
      const isLarge = right - left > 240 || bottom - top > 240;
      if (!isWithin || !isLarge) misplaced.push(`${kind} ${[left, top, right, bottom].join(' ')}`);
    }
    expect(misplaced).toEqual([]);
  });

  test('draws a product in the color named in its title, regardless of its slug', () => {
    expect(drawProduct('watch-kids', 1)).toBe(drawProduct('watch-kids', 2));
    expect(drawProduct('watch-kids', 1)).toContain(palettes[6]?.main);
  });

  test('draws a monogram from the initials of any name', () => {
    expect(merchantMonogram('Northwind Audio')).toContain('>NA</text>');
    expect(merchantMonogram('Lumen & Lark')).toContain('>LL</text>');
    expect(merchantMonogram('voltkrone')).toContain('>VO</text>');
    expect(merchantMonogram('和紙')).toContain('>和紙</text>');
    expect(merchantMonogram('<&>')).toContain('>?</text>');
  });
});

/** Returns the names of unclosed elements, by the strict rules of XML. */
function unclosedElements(svg: string): string[] {
  const unclosed: string[] = [];
  const parser = new Parser(
    {
      onclosetag(name, isImplied) {
        const isSelfClosing = svg.slice(parser.startIndex, parser.endIndex + 1).endsWith('/>');
        if (isImplied && !isSelfClosing) unclosed.push(name);
      },
    },
    { xmlMode: true },
  );
  parser.end(svg);
  return unclosed;
}

/** Returns the shapes without the background and in one color. */
function withoutColors(svg: string): string {
  return svg.replace(/^.*?opacity="\.16"\/>/, '').replace(/#[0-9a-f]{3,6}/g, 'any');
}

/**
 * Returns the bounds of the drawn shapes, measured on a canvas with an extra margin of 80 px on
 * each side.
 */
async function boundsOf(svg: string) {
  const canvas = 'viewBox="-80 -80 800 640" width="200" height="160">';
  const shapes = svg.replace(/^.*?opacity="\.16"\/>/, '');
  const large = `<svg xmlns="http://www.w3.org/2000/svg" stroke-linejoin="round" ${canvas}${shapes}`;
  const alpha = await sharp(Buffer.from(large)).extractChannel('alpha').raw().toBuffer();
  const edges = { left: 640, top: 480, right: 0, bottom: 0 };
  for (const [index, value] of alpha.entries()) {
    if (value < 20) continue;
    const x = (index % 200) * 4 - 80;
    const y = Math.floor(index / 200) * 4 - 80;
    edges.left = Math.min(edges.left, x);
    edges.right = Math.max(edges.right, x + 4);
    edges.top = Math.min(edges.top, y);
    edges.bottom = Math.max(edges.bottom, y + 4);
  }
  return edges;
}
