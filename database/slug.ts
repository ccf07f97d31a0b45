const longestSlug = 100;

/**
 * Returns the slug by the specification's rule. Accents are folded, and long slugs end at a word.
 */
export function slugify(text: string): string {
  const slug = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .trim()
    .replace(/[^\w\s-]/g, '')
    .replace(/[\s_-]+/g, '-')
    .replace(/^-|-$/g, '');
  if (slug.length <= longestSlug) return slug;
  const cut = slug.slice(0, longestSlug + 1);
  const end = cut.lastIndexOf('-');
  return end > longestSlug / 2 ? cut.slice(0, end) : slug.slice(0, longestSlug);
}

/**
 * Returns whether the text can be a slug. No slug contains control characters, and the database
 * rejects one of them.
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
