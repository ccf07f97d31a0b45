import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { brandLinks } from './brand-links.server.ts';
import { brandStyleAddress, readBrandStyle } from './brand-style.server.ts';
import { firstFontFile, fontFaces, fontFamilies } from './font-faces.server.ts';
import { siteFontNames } from './site-fonts.ts';
import { defaultSettings } from '../site-settings.ts';

const bundled = siteFontNames.filter((name) => name !== '' && name !== 'system');
const tokens = readFileSync(new URL('../../../ui/tokens.css', import.meta.url), 'utf8');
const styleOf = (address: string | null) => readBrandStyle((address ?? '').replace('/brand/', ''));

test('uses the font of the design tokens by default', () => {
  const [, families = ''] = /--font: ([^;]+);/.exec(tokens) ?? [];
  expect(fontFamilies('')).toBe(families.replaceAll(', ', ','));
});

test('adds no font to the stylesheet if none is chosen', () => {
  expect(brandStyleAddress({ accent: '', font: '' })).toBeNull();
  expect(brandLinks(defaultSettings)).not.toHaveProperty('fontFile');
  const style = styleOf(brandStyleAddress({ accent: '#ffd400', font: '' }));
  expect(style?.css).not.toContain('font');
});

test.each(bundled)('loads %s from this site, in two files, with an adjusted fallback', (font) => {
  const css = fontFaces(font);
  const files = [...css.matchAll(/url\('([^']+)'\) format\('woff2'\)/g)].map(([, url]) => url);
  expect(files).toHaveLength(2);
  expect(files[0]).toBe(firstFontFile(font));
  for (const file of files) {
    expect(file).toMatch(/^\/(?!\/).*-latin(?:-ext)?-wght-normal.*\.woff2$/);
    expect(existsSync(`.${file?.replace(/\?.*/, '')}`)).toBe(true);
  }
  expect(css.match(/font-display:swap/g)).toHaveLength(2);
  const [family = ''] = fontFamilies(font).split(',');
  expect(css).toContain(`font-family:${family.slice(0, -1)} Fallback'`);
  const style = styleOf(brandStyleAddress({ accent: '', font }));
  expect(style?.isCurrent).toBe(true);
  expect(style?.css).toMatch(new RegExp(`:root\\{--font:${family},[^}]+\\}\\}\\n$`));
});

test('does not load a font file for the system font', () => {
  expect([fontFaces('system'), firstFontFile('system')]).toEqual(['', null]);
  const style = styleOf(brandStyleAddress({ accent: '', font: 'system' }));
  expect(style?.css).toContain(':root{--font:system-ui,');
});

test.each(['theme-own-arial-00000000.css', 'theme-own--00000000.css', 'theme-own-inter-x.css'])(
  'returns no stylesheet for %s',
  (name) => {
    expect(readBrandStyle(name)).toBeNull();
  },
);
