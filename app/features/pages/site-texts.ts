/** The built-in texts, by the slugs of their pages. */
export const siteTexts = {
  about: { label: 'About', form: 'questions' },
  help: { label: 'Help', form: 'questions' },
  faq: { label: 'FAQ', form: 'questions' },
  contact: { label: 'Contact', form: 'intro' },
  privacy: { label: 'Privacy Policy', form: 'sections' },
  terms: { label: 'Terms of Service', form: 'sections' },
  cookies: { label: 'Cookie Policy', form: 'sections' },
  disclaimer: { label: 'Affiliate Disclaimer', form: 'sections' },
} as const satisfies Record<string, { label: string; form: TextForm }>;

/** The structure of a text: sections, questions below sections, or neither. */
export type TextForm = 'sections' | 'questions' | 'intro';

export type TextName = keyof typeof siteTexts;

export function isTextName(slug: string): slug is TextName {
  return Object.hasOwn(siteTexts, slug);
}

export const textNames = Object.keys(siteTexts).filter(isTextName);
