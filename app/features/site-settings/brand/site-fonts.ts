/** The fonts of pages, with their labels for staff. An empty name means the default font. */
export const siteFonts = {
  '': 'Figtree: a geometric sans serif',
  system: 'System font: each device’s own, nothing is loaded',
  inter: 'Inter: a neutral sans serif',
  'source-sans': 'Source Sans: a humanist sans serif',
  'source-serif': 'Source Serif: a serif',
  nunito: 'Nunito: a rounded sans serif',
} as const;

export type SiteFont = keyof typeof siteFonts;

export const siteFontNames = Object.keys(siteFonts).filter(isSiteFont);

export function isSiteFont(name: string): name is SiteFont {
  return Object.hasOwn(siteFonts, name);
}

export const fontOptions = siteFontNames.map((value) => ({ value, label: siteFonts[value] }));
