import type { MappingFile } from './feed-formats.server.ts';

const most = 50_000;
const deepest = 20;

/**
 * Reads the categories that a feed lists once, by number, before the products that refer to them.
 */
export function categoryLookup({ key, parent }: NonNullable<MappingFile['categories']>) {
  const known = new Map<string, { name: string; above: string }>();
  return {
    add(attributes: Record<string, string>, name: string): void {
      const number = attributes[key] ?? '';
      if (number === '' || name.trim() === '' || known.size >= most) return;
      known.set(number, { name: name.trim(), above: attributes[parent] ?? '' });
    },
    /** Returns the path from the most general one, or the number itself. */
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
