import type { Tx } from '#database/connect.ts';
import { slugify } from '#app/platform/slug.ts';
import type { ImportRow } from './check-feed-row.ts';
import { fittingIcon } from './feed-category.ts';
import {
  insertCategory,
  listCategoryNames,
  lockCategories,
  type WritableRow,
} from './import-queries.server.ts';

/**
 * Gives each row its category: the first of its path, from the most general, that the site has. Where there is none,
 * the operator's fallback, else a new category by the path's first name.
 */
export async function assignCategories(
  tx: Tx,
  rows: ImportRow[],
  fallback: string | undefined,
): Promise<WritableRow[]> {
  let known = await readKnown(tx);
  const find = (row: ImportRow) => {
    const name = row.category_path.find((part) => known.has(key(part))) ?? fallback;
    return name === undefined ? undefined : known.get(key(name));
  };
  if (rows.some((row) => find(row) === undefined)) {
    await lockCategories(tx);
    known = await readKnown(tx);
  }
  const placed: WritableRow[] = [];
  for (const row of rows) {
    let id = find(row);
    if (id === undefined) {
      const name = (fallback ?? row.category_path[0] ?? 'Other').trim().slice(0, 100);
      id = await insertCategory(tx, name, fittingIcon(name));
      known.set(key(name), id);
    }
    placed.push({ ...row, category_id: id });
  }
  return placed;
}

async function readKnown(tx: Tx): Promise<Map<string, number>> {
  const known = new Map<string, number>();
  for (const { id, name, slug } of await listCategoryNames(tx)) {
    for (const spelling of [key(name), slug]) if (!known.has(spelling)) known.set(spelling, id);
  }
  return known;
}

/** `Home & Living` and `home living` are one category. */
function key(name: string): string {
  return slugify(name) || name.trim().toLowerCase();
}
