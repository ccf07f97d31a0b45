import { slugify } from '#database/slug.ts';
import type { Db } from '#database/connect.ts';
import type { ImportRow } from '../formats/check-feed-row.ts';
import { fittingIcon } from '../formats/feed-category.ts';
import { insertCategory, listCategoryNames, lockCategories } from './import-queries.server.ts';
import { fillNewCategory, listNewCategories, type StagedRow } from './stage-rows.server.ts';

export interface CategoryRules {
  /** The feed's own names, as `A > B`, and our category for each: an operator's word goes first. */
  categoryMapping?: Readonly<Record<string, number>>;
  /** Where a row goes whose category is none of ours; without it such a category is made. */
  category?: string;
  categoryId?: number | null;
}

/**
 * Gives each row its category: the operator's for its path (the longest that was mapped), else the first of its path,
 * from the most general, that the site has, else the fallback, else a new one by the path's first name.
 */
export async function categoryPlacer(
  db: Db,
  { categoryMapping = {}, category, categoryId }: CategoryRules,
): Promise<(row: ImportRow) => StagedRow> {
  const known = await readKnown(db);
  const mapped = new Map(Object.entries(categoryMapping).map(([path, id]) => [pathKey(path), id]));
  const wanted = new Map<string, string>();
  return (row) => {
    const { category_path: path } = row;
    for (let length = path.length; length > 0; length--) {
      const id = mapped.get(pathKey(path.slice(0, length).join('>')));
      if (id !== undefined) return { ...row, category_id: id, new_category: null };
    }
    const ours = path.map((part) => known.get(key(part))).find((id) => id !== undefined);
    const id = ours ?? categoryId ?? (category && known.get(key(category)));
    if (typeof id === 'number') return { ...row, category_id: id, new_category: null };
    const name = (category ?? path[0] ?? uncategorised).trim().slice(0, 100);
    if (!wanted.has(key(name))) wanted.set(key(name), name);
    return { ...row, category_id: null, new_category: wanted.get(key(name)) ?? name };
  };
}

/** Where products go whose feed names no category, to be sorted later. */
const uncategorised = 'Uncategorised';

/** Makes the categories that the staged rows want, unless somebody else has made them meanwhile. */
export async function makeNewCategories(tx: Db): Promise<void> {
  const names = await listNewCategories(tx);
  if (names.length === 0) return;
  await lockCategories(tx);
  const known = await readKnown(tx);
  for (const name of names) {
    const id = known.get(key(name)) ?? (await insertCategory(tx, name, fittingIcon(name)));
    known.set(key(name), id);
    await fillNewCategory(tx, name, id);
  }
}

async function readKnown(db: Db): Promise<Map<string, number>> {
  const known = new Map<string, number>();
  for (const { id, name, slug } of await listCategoryNames(db)) {
    for (const spelling of [key(name), slug]) if (!known.has(spelling)) known.set(spelling, id);
  }
  return known;
}

/** `Home & Living` and `home living` are one category. */
function key(name: string): string {
  return slugify(name) || name.trim().toLowerCase();
}

function pathKey(path: string): string {
  return path
    .split('>')
    .map((part) => key(part))
    .join('>');
}
