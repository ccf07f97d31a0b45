import { createHash } from 'node:crypto';
import type { SiteSettings } from '../site-settings.ts';
import { type AccentColors, accentColors } from './accent-colors.ts';

type Look = Pick<SiteSettings, 'accent'>;

/** The places that a stylesheet changes: the whole page, or a preview within it. */
const scopes = {
  theme: (light: string, dark: string) =>
    `:root${light}:root.dark${dark}@media(prefers-color-scheme:dark){:root:not(.js)${dark}}`,
  preview: (light: string, dark: string) =>
    `[data-brand-preview=light]${light}[data-brand-preview=dark]${dark}`,
};
type Scope = keyof typeof scopes;

/**
 * Returns the address of the stylesheet with the owner's colors, or `null` if they are our own. The
 * address names all that the stylesheet depends on, so its content never changes.
 */
export function brandStyleAddress(look: Look): string | null {
  return look.accent === '' ? null : addressIn('theme', look);
}

/** Returns the address of a stylesheet that changes only elements with `data-brand-preview`. */
export const previewStyleAddress = (look: Look) => addressIn('preview', look);

function addressIn(scope: Scope, look: Look): string {
  const name = `${scope}-${look.accent.slice(1) || 'own'}`;
  return `/brand/${name}-${hashOf(writeStyle(scope, look))}.css`;
}

/**
 * Returns the stylesheet of a name under `/brand/`, or `null` for another name. `isCurrent` is false
 * if another version of the site made the address.
 */
export function readBrandStyle(name: string): { css: string; isCurrent: boolean } | null {
  const [, scope, accent, hash] =
    /^(theme|preview)-([\da-f]{6}|own)-([\da-f]{8})\.css$/.exec(name) ?? [];
  if (scope === undefined || accent === undefined) return null;
  const css = writeStyle(scope as Scope, { accent: accent === 'own' ? '' : `#${accent}` });
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
function writeStyle(scope: Scope, { accent }: Look): string {
  const { light, dark } = accentColors(accent);
  const rules = scopes[scope](declare(light), declare(dark));
  return `@layer tokens{${rules}}\n`;
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
