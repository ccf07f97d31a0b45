import type { MappingFile } from './feed-formats.server.ts';

const most = 50_000;
const deepest = 20;

/** Reads the numbered categories that a feed lists once, before the products that refer to them. */
export function categoryLookup({
  key,
  parent,
  name: named = '',
}: NonNullable<MappingFile['categories']>) {
  const known = new Map<string, { name: string; above: string }>();
  return {
    add(values: Record<string, string>, text: string): void {
      const number = (values[key] ?? '').trim();
      const name = values[named] ?? text;
      if (number === '' || name.trim() === '' || known.size >= most) return;
      known.set(number, { name: name.trim(), above: (values[parent] ?? '').trim() });
    },
    /**
     * Returns the path of a category, the most general one first, or the number itself if unknown.
     */
    pathOf(number: string): string {
      const names: string[] = [];
      let found = known.get(number.trim());
      for (let depth = 0; found && depth < deepest; depth++) {
        names.unshift(found.name);
        found = known.get(found.above);
      }
      return names.length > 0 ? names.join(' > ') : number;
    },
  };
}

/** Adds text to a category that is being read, or to the element inside it. */
export function addText(
  category: { values: Record<string, string>; text: string; inside: string | null },
  text: string,
): void {
  if (category.inside === null) category.text += text;
  else category.values[category.inside] = `${category.values[category.inside] ?? ''}${text}`;
}
