import palettes from './palettes.json' with { type: 'json' };
import productDrawings from './product-drawings.json' with { type: 'json' };
import { hashText } from './seeded-random.ts';

type Palette = (typeof palettes)[number];

/**
 * Drawings on a 640 x 480 canvas with the floor at y = 400. A drawing uses only the colours of its
 * palette, which it names in braces, and white. Shadows and highlights are translucent black or
 * white, so that every kind works in every palette. `shadow` is half the width of the shadow on the
 * floor, or 0 for things that hang or lie flat.
 */

export const paletteCount = palettes.length;

/** Returns the palette of a slug. The same slug always gets the same one. */
export function paletteOf(slug: string): number {
  return hashText(slug) % palettes.length;
}

const drawings = new Map(Object.entries(productDrawings));
export const productKinds = [...drawings.keys()];

/**
 * Returns a 640 x 480 SVG of about one kilobyte: the picture of a kind in one palette, always the
 * same bytes.
 */
export function drawProduct(kind: string, paletteIndex: number): string {
  const palette = paletteAt(paletteIndex);
  const product = drawings.get(kind);
  if (!product) throw new Error(`No drawing of ${kind}`);
  const drawing = product.shapes.replace(
    /\{(paper|soft|dark|main)\}/g,
    (_name, color: keyof Palette) => palette[color],
  );
  const place = hashText(`${kind}-${paletteIndex}`);
  const glow = `<circle cx="${400 + (place % 130)}" cy="${120 + ((place >>> 5) % 60)}" r="${160 + ((place >>> 9) % 60)}" fill="${palette.soft}" opacity=".45"/>`;
  const floor = `<ellipse cx="320" cy="404" rx="${product.shadow}" ry="17" fill="${palette.dark}" opacity=".16"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 480" width="640" height="480"><rect width="640" height="480" fill="${palette.paper}"/>${glow}${floor}${drawing}</svg>`;
}

/** Returns a square logo with a merchant's initials, for merchants without a logo. */
export function merchantMonogram(name: string): string {
  const { soft, dark, main, paper } = paletteAt(paletteOf(name));
  const letters = escapeXml(initialsOf(name));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 160" width="160" height="160"><rect width="160" height="160" rx="28" fill="${dark}"/><path d="M0 118C40 96 96 140 160 92v40a28 28 0 0 1-28 28H28a28 28 0 0 1-28-28z" fill="${main}"/><circle cx="124" cy="36" r="10" fill="${soft}"/><text x="80" y="82" fill="${paper}" font-family="Figtree, system-ui, sans-serif" font-size="60" font-weight="800" text-anchor="middle" dominant-baseline="central">${letters}</text></svg>`;
}

function paletteAt(index: number): Palette {
  const palette = palettes[index % palettes.length];
  if (!palette) throw new Error(`No palette ${index}`);
  return palette;
}

/** Returns the first letter of the first two words, or the first two of a single one. */
function initialsOf(name: string): string {
  const [first = '?', second] = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const lettersOf = (word: string, count: number) => Array.from(word).slice(0, count).join('');
  return (second ? lettersOf(first, 1) + lettersOf(second, 1) : lettersOf(first, 2)).toUpperCase();
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
