import { Parser } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import {
  drawProduct,
  merchantMonogram,
  paletteCount,
  paletteOf,
  productKinds,
} from './product-art.ts';

const artOf = (slug: string) => drawProduct('headphones', paletteOf(slug));

describe('product art', () => {
  test('draws the same product art for the same slug, and another colour for another slug', () => {
    expect(artOf('noise-cancelling-headphones')).toBe(artOf('noise-cancelling-headphones'));
    const colours = new Set(Array.from({ length: 60 }, (_, index) => artOf(`deal-${index}`)));
    expect(colours.size).toBe(paletteCount);
  });

  test('draws at least thirty-two kinds of product art, no two alike', () => {
    expect(productKinds.length).toBeGreaterThanOrEqual(32);
    expect(new Set(productKinds.map((kind) => drawProduct(kind, 0))).size).toBe(
      productKinds.length,
    );
  });

  test.each(productKinds)('draws %s as balanced XML of at most 1.5 KB in every palette', (kind) => {
    for (let palette = 0; palette < paletteCount; palette += 1) {
      const svg = drawProduct(kind, palette);
      expect(svg.length).toBeLessThan(1536);
      expect(unclosedElements(svg)).toEqual([]);
      expect(svg).not.toMatch(/undefined|NaN|url\(|href|<script/);
    }
  });

  test('draws the initials as a monogram, whatever the name contains', () => {
    expect(merchantMonogram('Northwind Audio')).toContain('>NA</text>');
    expect(merchantMonogram('Lumen & Lark')).toContain('>LL</text>');
    expect(merchantMonogram('voltkrone')).toContain('>VO</text>');
    expect(merchantMonogram('和紙')).toContain('>和紙</text>');
    expect(merchantMonogram('<&>')).toContain('>?</text>');
  });
});

/**
 * Returns names of elements that the text opens and does not close, under the strict rules of XML.
 */
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
