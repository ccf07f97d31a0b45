import { slugify } from '#database/slug.ts';
import type { Db } from '#database/connect.ts';
import type { ImportRow } from '../formats/check-feed-row.ts';
import type { SupplementRow } from '../formats/check-supplement.ts';
import { fittingIcon, isRoot } from '../formats/feed-category.ts';
import { insertCategory, listCategoryNames, lockCategories } from './import-queries.server.ts';
import { fillNewCategories, listNewCategories, type CategorisedRow } from './stage-rows.server.ts';

export interface CategoryRules {
  /** Maps the feed's category names, such as `A > B`, to our categories, as the operator chose. */
  categoryMapping?: Readonly<Record<string, number>>;
  /**
   * The fallback for rows whose own category does not exist here. By default, a category is
   * created.
   */
  category?: string;
  categoryId?: number | null;
}

/**
 * Assigns each row's category: the operator's choice for the longest mapped path, else the most
 * general existing category of its path. Otherwise, the fallback or a new category is used. A new
 * category has the name of the path's first part that is not the front page.
 */
export async function categoryPlacer(
  db: Db,
  { categoryMapping = {}, category, categoryId }: CategoryRules,
): Promise<(row: ImportRow | SupplementRow) => CategorisedRow> {
  const known = await readKnown(db);
  const mapped = new Map(Object.entries(categoryMapping).map(([path, id]) => [pathKey(path), id]));
  const wanted = new Map<string, string>();
  return (row) => {
    const { category_path: path } = row;
    for (let length = path.length; length > 0; length--) {
      const names = path.slice(0, length);
      const id = mapped.get(pathKey(names.join('>'))) ?? mapped.get(pathKey(names.join('/')));
      if (id !== undefined) return { ...row, category_id: id, new_category: null };
    }
    const own = path.filter((part) => !isRoot(part));
    // A name with a slash, such as "Audio/Video", was read as a path. Root names are tried last.
    const names = [path.join('/'), own.join('/'), ...own, ...path];
    const ours = names.map((part) => known.get(key(part))).find((id) => id !== undefined);
    const id = ours ?? categoryId ?? (category && known.get(key(category)));
    if (typeof id === 'number') return { ...row, category_id: id, new_category: null };
    const name = (category ?? own[0] ?? loneName(path) ?? uncategorised).trim().slice(0, 100);
    if (!wanted.has(key(name))) wanted.set(key(name), name);
    return { ...row, category_id: null, new_category: wanted.get(key(name)) ?? name };
  };
}

/** "Home" alone may be a department; words for the front page in other languages are not. */
function loneName(path: readonly string[]): string | undefined {
  return path.length === 1 && /^home$/i.test(path[0] ?? '') ? path[0] : undefined;
}

/** The category of products without one, to be sorted later. */
const uncategorised = 'Uncategorised';

/**
 * Creates the categories that staged rows lack, unless another import created them in the meantime.
 */
export async function makeNewCategories(tx: Db): Promise<void> {
  const names = await listNewCategories(tx);
  if (names.length === 0) return;
  await lockCategories(tx);
  const known = await readKnown(tx);
  const made: { name: string; id: number }[] = [];
  for (const name of names) {
    const id = known.get(key(name)) ?? (await insertCategory(tx, name, fittingIcon(name)));
    known.set(key(name), id);
    made.push({ name, id });
  }
  await fillNewCategories(tx, made);
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
