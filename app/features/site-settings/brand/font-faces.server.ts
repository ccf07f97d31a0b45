import interExtended from '@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2?url';
import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import nunitoExtended from '@fontsource-variable/nunito/files/nunito-latin-ext-wght-normal.woff2?url';
import nunito from '@fontsource-variable/nunito/files/nunito-latin-wght-normal.woff2?url';
import sansExtended from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-ext-wght-normal.woff2?url';
import sans from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url';
import serifExtended from '@fontsource-variable/source-serif-4/files/source-serif-4-latin-ext-wght-normal.woff2?url';
import serif from '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2?url';
import type { SiteFont } from './site-fonts.ts';

interface BundledFont {
  family: string;
  /**
   * The URLs of the file with basic Latin letters, and of the one with letters of other languages.
   */
  latin: string;
  extended: string;
  weights: string;
  isSerif?: boolean;
  /** percent; adjusts the fallback to the font, so that nothing moves when it arrives */
  fallback: { size: number; ascent: number; descent: number };
}

type Bundled = Exclude<SiteFont, '' | 'system'>;

/** The percentages are measured against Arial and Times New Roman, with English text. */
const bundled: Record<Bundled, BundledFont> = {
  inter: {
    family: 'Inter',
    latin: inter,
    extended: interExtended,
    weights: '100 900',
    fallback: { size: 106.2, ascent: 91.2, descent: 22.7 },
  },
  'source-sans': {
    family: 'Source Sans 3',
    latin: sans,
    extended: sansExtended,
    weights: '200 900',
    fallback: { size: 91.5, ascent: 112, descent: 43.7 },
  },
  'source-serif': {
    family: 'Source Serif 4',
    latin: serif,
    extended: serifExtended,
    weights: '200 900',
    isSerif: true,
    fallback: { size: 115.1, ascent: 90, descent: 29.1 },
  },
  nunito: {
    family: 'Nunito',
    latin: nunito,
    extended: nunitoExtended,
    weights: '200 1000',
    fallback: { size: 100.7, ascent: 100.4, descent: 35.1 },
  },
};

// The alphabets of the files, as in the packages' `unicode.json`.
const latinLetters =
  'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD';
const extendedLetters =
  'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF';

const systemSans = "system-ui,-apple-system,'Segoe UI',sans-serif";
/** The fonts if the owner has chosen none, as in `app/ui/tokens.css`. */
const ownFamilies = `'Figtree','Figtree Fallback',${systemSans}`;

/** Returns the URL of the file that every page with this font needs first, or `null`. */
export function firstFontFile(font: SiteFont): string | null {
  return isBundled(font) ? bundled[font].latin : null;
}

/** Returns the families of a font for `font-family`. */
export function fontFamilies(font: SiteFont): string {
  if (font === '') return ownFamilies;
  if (!isBundled(font)) return systemSans;
  const { family, isSerif } = bundled[font];
  const others = isSerif ? "Georgia,'Times New Roman',serif" : systemSans;
  return `'${family}','${family} Fallback',${others}`;
}

/** Returns the rules that load a font. A browser fetches a file only for text that needs it. */
export function fontFaces(font: SiteFont): string {
  if (!isBundled(font)) return '';
  const { family, latin, extended, weights, isSerif, fallback } = bundled[font];
  const files = [
    [latin, latinLetters],
    [extended, extendedLetters],
  ] as const;
  const faces = files.map(
    ([file, letters]) =>
      `@font-face{font-family:'${family}';src:url('${file}') format('woff2');font-weight:${weights};font-display:swap;unicode-range:${letters}}`,
  );
  const local = (isSerif ? ['Times New Roman', 'Liberation Serif'] : ['Arial', 'Liberation Sans'])
    .map((name) => `local('${name}')`)
    .join();
  const { size, ascent, descent } = fallback;
  return `${faces.join('')}@font-face{font-family:'${family} Fallback';src:${local};size-adjust:${size}%;ascent-override:${ascent}%;descent-override:${descent}%;line-gap-override:0%}`;
}

function isBundled(font: SiteFont): font is Bundled {
  return Object.hasOwn(bundled, font);
}
