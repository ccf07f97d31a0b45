/**
 * The slug rule for the demo shop's own titles and names. The site's rule lives in the platform, which the
 * database must not import; over this catalog the two agree.
 */
export function demoSlug(text: string, taken: ReadonlySet<string> = new Set()): string {
  const slug = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .trim()
    .replace(/[^\w\s-]/g, '')
    .replace(/[\s_-]+/g, '-')
    .replace(/^-|-$/g, '');
  const short = slug.length <= 100 ? slug : slug.slice(0, slug.lastIndexOf('-', 100));
  let free = short;
  for (let number = 2; taken.has(free); number += 1) free = `${short}-${number}`;
  return free;
}
