import productDrawings from './product-drawings.json' with { type: 'json' };
import { hashText } from './seeded-random.ts';

interface Palette {
  paper: string;
  soft: string;
  dark: string;
  main: string;
}

/**
 * On a 640 x 480 canvas with the floor at y = 400. A drawing uses only the colours of its palette, which it names in braces,
 * white, and translucent black or white for shade and shine, so that every kind works in every palette. `shadow` is half
 * the width of the shadow on the floor; 0 for things that hang or lie flat.
 */
export type ProductKind = keyof typeof productDrawings;

export const productKinds = Object.keys(productDrawings).filter(
  (kind): kind is ProductKind => kind in productDrawings,
);

const palettes: readonly Palette[] = [
  { paper: '#f5ebdf', soft: '#dfc9ab', dark: '#6e4226', main: '#c96f3b' },
  { paper: '#e6efe9', soft: '#bcd6c6', dark: '#24594a', main: '#3f9272' },
  { paper: '#e8ecf5', soft: '#c2cee8', dark: '#27407a', main: '#5b7fd1' },
  { paper: '#f6e7e4', soft: '#e8c2ba', dark: '#8a2f2a', main: '#d65a48' },
  { paper: '#f4efe0', soft: '#e3d39a', dark: '#6b5410', main: '#c99a1b' },
  { paper: '#ece8f2', soft: '#cfc3e2', dark: '#4a3670', main: '#8564c0' },
  { paper: '#e5f0f2', soft: '#b7dbe2', dark: '#17505c', main: '#2d93a5' },
  { paper: '#efefed', soft: '#d3d2cd', dark: '#35332e', main: '#77736a' },
];

export const paletteCount = palettes.length;

/** Which of the palettes a slug gets; the same slug always gets the same one. */
export function paletteOf(slug: string): number {
  return hashText(slug) % palettes.length;
}

/** A 640 x 480 SVG of about one kilobyte; the same slug and kind always give the same bytes. */
export function productArt(slug: string, kind: ProductKind): string {
  return drawProduct(kind, paletteOf(slug));
}

/** The picture of a kind in one palette: what `productArt` draws once the slug has chosen. */
export function drawProduct(kind: ProductKind, paletteIndex: number): string {
  const palette = paletteAt(paletteIndex);
  const { shadow, shapes } = productDrawings[kind];
  const drawing = shapes.replace(
    /\{(paper|soft|dark|main)\}/g,
    (_name, color: keyof Palette) => palette[color],
  );
  const place = hashText(`${kind}-${paletteIndex}`);
  const glow = `<circle cx="${400 + (place % 130)}" cy="${120 + ((place >>> 5) % 60)}" r="${160 + ((place >>> 9) % 60)}" fill="${palette.soft}" opacity=".45"/>`;
  const floor = `<ellipse cx="320" cy="404" rx="${shadow}" ry="17" fill="${palette.dark}" opacity=".16"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 480" width="640" height="480"><rect width="640" height="480" fill="${palette.paper}"/>${glow}${floor}${drawing}</svg>`;
}

/** A square mark with a merchant's initials, for merchants that have no logo of their own. */
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

function initialsOf(name: string): string {
  const [first = '?', second] = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters = second
    ? firstLetters(first, 1) + firstLetters(second, 1)
    : firstLetters(first, 2);
  return letters.toUpperCase();
}

function firstLetters(word: string, count: number): string {
  return Array.from(word).slice(0, count).join('');
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
