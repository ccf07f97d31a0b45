import { fold } from './fold-text.ts';

const longestSlug = 100;

/**
 * Returns a slug by the specification's rule. Folds Latin letters, and transliterates other scripts
 * to ASCII with `spell`. Long slugs end at a word boundary.
 */
export function slugWith(text: string, spell: (folded: string) => string): string {
  const slug = spell(withoutSigns(text))
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/[\s_-]+/g, '-')
    .replace(/^-|-$/g, '');
  if (slug.length <= longestSlug) return slug;
  const cut = slug.slice(0, longestSlug + 1);
  const end = cut.lastIndexOf('-');
  return end > longestSlug / 2 ? cut.slice(0, end) : slug.slice(0, longestSlug);
}

/** Returns the slug of a text from its Latin letters only. */
export function latinSlug(text: string): string {
  return slugWith(text, (folded) => folded);
}

/** Returns whether a text has letters or digits that `latinSlug` omits. */
export function hasOtherLetters(text: string): boolean {
  return /[^\0-\x7f]/.test(withoutSigns(text));
}

/** Folds a text. Punctuation of other scripts separates words; emoji and symbols are dropped. */
function withoutSigns(text: string): string {
  return fold(text)
    .replace(/[^\P{P}\0-\x7f]/gu, ' ')
    .replace(/[^\p{L}\p{M}\p{N}\s\0-\x7f]/gu, '')
    .replace(/\s/g, ' ');
}
