import { cutText } from '#app/platform/cut-text.ts';
import type { CategoryIcon } from '#database/schema/catalog-tables.ts';
import { toPlainLine } from './feed-text.ts';
import { parseJson } from '#app/platform/parse-json.ts';

/**
 * Returns a category's path from the most general one, in any notation: `Home > Kitchen`,
 * `Home~~Kitchen`, `Home | Kitchen`, or a JSON list of names. Empty for a plain number, which
 * refers to an unknown taxonomy.
 */
export function readCategoryPath(text: string): string[] {
  const parts = readJsonNames(text) ?? text.split(/[>»|]|~~/u);
  return parts
    .map((part) => cutText(toPlainLine(part), 100).trim())
    .filter((part, index, all) => part !== '' && part !== all[index - 1] && !/^\d+$/.test(part));
}

/** Returns the deepest of several paths, with separators that `readCategoryPath` knows. */
export function plainCategory(
  text: string,
  {
    path,
    list,
    drops,
  }: {
    path?: string | undefined;
    list?: string | undefined;
    drops?: readonly string[] | undefined;
  },
): string {
  const paths = (list === undefined ? [text] : text.split(list)).map((one) =>
    (path === undefined ? one.split('>') : one.split(path))
      .map((part) => part.trim())
      .filter((part, at) => part !== '' && !(at === 0 && drops?.includes(part))),
  );
  const deepest = paths.reduce((best, one) => (one.length > best.length ? one : best), []);
  return deepest.join(' > ');
}

function readJsonNames(text: string): string[] | null {
  const list = text.startsWith('[') ? parseJson(text) : null;
  if (!Array.isArray(list)) return null;
  return list.map((entry: unknown) => {
    const name = typeof entry === 'object' && entry && 'name' in entry ? entry.name : entry;
    return typeof name === 'string' ? name : '';
  });
}

// The first match wins, so "Tools & Home Improvement" is tools and "Toys & Games" is not a sport.
const iconWords: [CategoryIcon, RegExp][] = [
  ['wrench', /\b(tools?|hardware|improvement|diy|industrial)\b/i],
  ['gamepad2', /\b(toys?|games?|gaming|hobb)/i],
  ['smartphone', /\b(phones?|electronics?|computers?|tablets?|cameras?|audio|tech)\b/i],
  ['car', /\b(cars?|auto|automotive|vehicles?|motorcycles?)\b/i],
  ['dumbbell', /\b(sports?|outdoors?|fitness|gym|camping)\b/i],
  ['book', /\b(books?|office|school|stationery|media)\b/i],
  ['shopping-bag', /\b(bags?|luggage|jewel\w*|watch\w*|shoes?|grocer\w*|food|accessories)\b/i],
  [
    'shirt',
    /\b(apparel|cloth\w*|fashion|wom[ae]n\w*|m[ae]n|kids?|underwear|sleepwear|wear|dress\w*)\b/i,
  ],
  ['heart', /\b(beauty|health|care|cosmetics?|bab(y|ies)|pets?)\b/i],
  ['home', /\b(home|house\w*|kitchen|furniture|garden|living|textiles?|appliances?)\b/i],
];

export function fittingIcon(categoryName: string): CategoryIcon {
  // Apparel accessories are worn; otherwise "accessories" suggests the bag.
  if (/\bapparel\b/i.test(categoryName)) return 'shirt';
  return iconWords.find(([, words]) => words.test(categoryName))?.[0] ?? 'tag';
}
