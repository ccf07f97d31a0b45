import anyAscii from 'any-ascii';
import { slugWith } from './latin-slug.ts';

/**
 * Returns the slug by the specification's rule: `Łódź` becomes `lodz` and `Москва` `moskva`. A text
 * without letters and digits has no slug. Browsers load this module only when a form needs it,
 * because the transliteration tables take 220 kB.
 */
export function slugify(text: string): string {
  return slugWith(text, anyAscii);
}

/**
 * Returns the slug for a deal's title. Avoids slugs of digits only, which would look like a deal's
 * id in URLs.
 */
export function dealSlug(text: string): string {
  const slug = slugify(text);
  return /^\d+$/.test(slug) ? `deal-${slug}` : slug;
}

/**
 * Returns whether a text can be a slug. Slugs contain no control characters, one of which (NUL)
 * the database rejects.
 */
export function mayBeSlug(text: string): boolean {
  return !/\p{Cc}/u.test(text);
}

/**
 * Returns the first free slug of `base`, `base-2`, `base-3` … `taken` contains the slugs in use.
 */
export function firstFreeSlug(base: string, taken: ReadonlySet<string>): string {
  let slug = base;
  for (let n = 2; taken.has(slug); n++) slug = `${base}-${n}`;
  return slug;
}
