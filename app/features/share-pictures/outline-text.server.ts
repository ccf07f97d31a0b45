import cyrillic from '@fontsource-variable/inter/files/inter-cyrillic-wght-normal.woff2?inline';
import cyrillicExtended from '@fontsource-variable/inter/files/inter-cyrillic-ext-wght-normal.woff2?inline';
import greek from '@fontsource-variable/inter/files/inter-greek-wght-normal.woff2?inline';
import latin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?inline';
import latinExtended from '@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2?inline';
import vietnamese from '@fontsource-variable/inter/files/inter-vietnamese-wght-normal.woff2?inline';
import { type FontOutlines, type Outline, readWoff2 } from './read-woff2.server.ts';

/** Latin comes first, since its digits and signs are used in every script. */
const files = [latin, latinExtended, cyrillic, greek, cyrillicExtended, vietnamese];
let fonts: FontOutlines[] | null = null;

function openFonts(): FontOutlines[] {
  fonts ??= files.map((file) =>
    readWoff2(Buffer.from(file.slice(file.indexOf(',') + 1), 'base64')),
  );
  return fonts;
}

function find(character: string): (Outline & { unitsPerEm: number }) | null {
  for (const font of openFonts()) {
    const outline = font.find(character.codePointAt(0) ?? 0);
    if (outline) return { ...outline, unitsPerEm: font.unitsPerEm };
  }
  return null;
}

/**
 * Returns a text that the bundled fonts can draw: on one line, without control characters and
 * direction marks. Each run of letters of other scripts becomes `…`, rare hyphens become `-`, and
 * other signs are left out. Returns `''` if the fonts contain no letter or digit of the text.
 */
export function keepDrawable(text: string): string {
  const kept = Array.from(text.normalize('NFC').replaceAll(/[\p{Cc}\s]+/gu, ' '), (character) => {
    if (/\p{Cf}/u.test(character)) return '';
    if (find(character)) return character;
    if (/\p{Pd}/u.test(character)) return '-';
    return /[\p{L}\p{N}]/u.test(character) ? '…' : '';
  });
  const line = kept
    .join('')
    .replaceAll(/…(?:[ …]*…)?/g, '…')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
  return /[\p{L}\p{N}]/u.test(line) ? line : '';
}

/** Returns the width of a line in pixels. */
export function measureText(text: string, size: number): number {
  return Array.from(text).reduce((sum, character) => {
    const found = find(character);
    return sum + (found ? (found.advance / found.unitsPerEm) * size : 0);
  }, 0);
}

/** Breaks a text at its spaces. A word that is too long breaks anywhere. */
export function wrapText(
  text: string,
  { size, width, lines: most }: { size: number; width: number; lines: number },
): { lines: string[]; isCut: boolean } {
  const fits = (line: string) => measureText(line, size) <= width;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (!fits(line) && lines.length <= most) {
      const characters = Array.from(line);
      let end = 1;
      while (fits(characters.slice(0, end + 1).join(''))) end += 1;
      lines.push(characters.slice(0, end).join(''));
      line = characters.slice(end).join('');
    }
    if (lines.length > most) break;
  }
  if (line !== '') lines.push(line);
  if (lines.length <= most) return { lines, isCut: false };
  const shown = lines.slice(0, most);
  const last = Array.from(shown.pop() ?? '');
  while (last.length > 1 && (!fits(`${last.join('')}…`) || isLoose(last.at(-1) ?? ''))) last.pop();
  return { lines: [...shown, `${last.join('')}…`], isCut: true };
}

/** Returns whether a character looks odd before an ellipsis. */
const isLoose = (character: string) => /[\s…,.;:–-]/u.test(character);

interface Line {
  x: number;
  /** The baseline. */
  y: number;
  size: number;
  color: string;
  isBold?: boolean;
}

/**
 * em; the stroke width that makes text bold, since the bundled fonts only have a normal weight
 */
const boldStroke = 0.045;

/** Returns a line as SVG paths. No character of the text is part of the SVG. */
export function outlineText(text: string, { x, y, size, color, isBold = false }: Line): string {
  let right = x;
  const glyphs = Array.from(text, (character) => {
    const found = find(character);
    if (!found) return '';
    const scale = size / found.unitsPerEm;
    const left = right;
    right += found.advance * scale;
    if (found.path === '') return '';
    const weight = isBold ? ` stroke-width="${Math.round(found.unitsPerEm * boldStroke)}"` : '';
    return `<path transform="translate(${left.toFixed(2)} ${y}) scale(${scale.toFixed(5)} ${(-scale).toFixed(5)})"${weight} d="${found.path}"/>`;
  });
  const stroke = isBold ? ` stroke="${color}" stroke-linejoin="round"` : '';
  return `<g fill="${color}"${stroke}>${glyphs.join('')}</g>`;
}
