import { drawShapes, settingOf } from './draw-shapes.ts';
import palettes from './palettes.json' with { type: 'json' };
import productDrawings from './product-drawings.json' with { type: 'json' };
import { hashText } from './seeded-random.ts';

type Palette = (typeof palettes)[number];

/**
 * Drawings of all demo products, in the language of draw-shapes.ts, on a 640 x 480 canvas with the
 * floor at y = 400. Shadows and highlights are translucent black or white, so that they work in
 * every palette.
 */
const drawings = new Map<string, string>(Object.entries(productDrawings.drawings));
const parts = new Map<string, string>(Object.entries(productDrawings.parts));

export const paletteCount = palettes.length;
export const productKinds = [...drawings.keys()];

/** Returns the palette for a slug, always the same one. */
export function paletteOf(slug: string): number {
  return hashText(slug) % palettes.length;
}

/**
 * Returns the picture of a kind in one palette: a 640 x 480 SVG of one to two kilobytes, with the
 * same bytes on every call. If a drawing has its own palette, the given one is ignored.
 */
export function drawProduct(kind: string, paletteIndex: number): string {
  const drawing = drawings.get(kind);
  if (!drawing) throw new Error(`No drawing of ${kind}`);
  const index = settingOf(drawing, 'palette') ?? paletteIndex;
  const palette = paletteAt(index);
  const shapes = drawShapes(drawing, { parts, colors: colorsOf(palette) });
  const place = hashText(`${kind}-${index}`);
  const glow = `<circle cx="${400 + (place % 130)}" cy="${120 + ((place >>> 5) % 60)}" r="${160 + ((place >>> 9) % 60)}" fill="${palette.soft}" opacity=".45"/>`;
  const floor = `<ellipse cx="320" cy="404" rx="${settingOf(drawing, 'floor') ?? 0}" ry="17" fill="${palette.dark}" opacity=".16"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 480" width="640" height="480" stroke-linejoin="round"><rect width="640" height="480" fill="${palette.paper}"/>${glow}${floor}${shapes}</svg>`;
}

/** The colors of every palette, by palette number and color letter. */
const numberedColors = Object.fromEntries(
  palettes.flatMap((palette, index) => namesOf(palette, String(index))),
);

function colorsOf(palette: Palette): Record<string, string> {
  const ownColors = Object.fromEntries(namesOf(palette, ''));
  return { ...numberedColors, ...ownColors, w: '#fff', k: '#000' };
}

function namesOf({ main, soft, dark, paper }: Palette, prefix: string): [string, string][] {
  return [
    [`${prefix}m`, main],
    [`${prefix}s`, soft],
    [`${prefix}d`, dark],
    [`${prefix}p`, paper],
  ];
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

/** Returns the first letters of the first two words, or the first two letters of a single word. */
function initialsOf(name: string): string {
  const [first = '?', second] = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const lettersOf = (word: string, count: number) => Array.from(word).slice(0, count).join('');
  return (second ? lettersOf(first, 1) + lettersOf(second, 1) : lettersOf(first, 2)).toUpperCase();
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
