import { createHash } from 'node:crypto';
import type { SiteSettings } from '../site-settings.ts';
import { type AccentColors, accentColors } from './accent-colors.ts';
import { fontFaces, fontFamilies } from './font-faces.server.ts';
import { isSiteFont } from './site-fonts.ts';

type Look = Pick<SiteSettings, 'accent' | 'font'>;

/** The scope of a stylesheet: the whole page, or a preview within it. */
const scopes = {
  theme: (light: string, dark: string) =>
    `:root${light}:root.dark${dark}@media(prefers-color-scheme:dark){:root:not(.js)${dark}}`,
  preview: (light: string, dark: string) =>
    `[data-brand-preview=light]${light}[data-brand-preview=dark]${dark}`,
};
type Scope = keyof typeof scopes;

/** Caches URLs by settings object, which is the same for all pages until the settings change. */
const addresses = new WeakMap<Look, string>();

/**
 * Returns the URL of the stylesheet with the owner's colors and font, or `null` if both are the
 * default. The URL names all that the stylesheet depends on, so its content never changes.
 */
export function brandStyleAddress(look: Look): string | null {
  if (look.accent === '' && look.font === '') return null;
  const address = addresses.get(look) ?? addressIn('theme', look);
  addresses.set(look, address);
  return address;
}

/** Returns the URL of a stylesheet that changes only elements with `data-brand-preview`. */
export const previewStyleAddress = (look: Look) => addressIn('preview', look);

function addressIn(scope: Scope, look: Look): string {
  const name = [scope, look.accent.slice(1) || 'own', ...(look.font ? [look.font] : [])].join('-');
  return `/brand/${name}-${hashOf(writeStyle(scope, look))}.css`;
}

/**
 * Returns the stylesheet of a name under `/brand/`, or `null` for another name. `isCurrent` is false
 * if another version of the site made the URL.
 */
export function readBrandStyle(name: string): { css: string; isCurrent: boolean } | null {
  const [, scope, accent, font = '', hash] =
    /^(theme|preview)-([\da-f]{6}|own)(?:-([a-z-]+))?-([\da-f]{8})\.css$/.exec(name) ?? [];
  if (scope === undefined || accent === undefined || !isSiteFont(font)) return null;
  const css = writeStyle(scope as Scope, { accent: accent === 'own' ? '' : `#${accent}`, font });
  return { css, isCurrent: hashOf(css) === hash };
}

const names: Record<keyof AccentColors, string> = {
  action: '--action',
  actionHover: '--action-hover',
  fill: '--fill',
  fillHover: '--fill-hover',
  onFill: '--on-action',
  soft: '--action-soft',
};

/** Writes both themes without `light-dark()`, which older browsers don't know. */
function writeStyle(scope: Scope, { accent, font }: Look): string {
  const { light, dark } = accentColors(accent);
  const rules = scopes[scope](declare(light), declare(dark));
  return `${fontFaces(font)}@layer tokens{${rules}${writeFont(scope, font)}}\n`;
}

function writeFont(scope: Scope, font: SiteSettings['font']): string {
  const families = fontFamilies(font);
  if (scope === 'preview') return `[data-brand-preview]{font-family:${families}}`;
  return font === '' ? '' : `:root{--font:${families}}`;
}

function declare(colors: AccentColors): string {
  const lines = Object.entries(names).map(
    ([name, token]) => `${token}:${colors[name as keyof AccentColors]}`,
  );
  return `{${lines.join(';')}}`;
}

function hashOf(css: string): string {
  return createHash('sha256').update(css).digest('hex').slice(0, 8);
}
