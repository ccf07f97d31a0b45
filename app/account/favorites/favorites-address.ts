import type { FavoriteSort } from '#app/features/favorites/favorite-queries.server.ts';
import { parsePageNumber } from '#app/platform/page-number.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';

/** The part of the favorites that the page shows. `list` is null for all favorites. */
export interface FavoritesView {
  list: number | null;
  sort: FavoriteSort;
  page: number;
}

/** Parses the URL. An invalid list is 0, since `null` would show all favorites. */
export function readView(query: URLSearchParams): FavoritesView {
  return {
    list: query.has('list') ? (parseRowId(query.get('list')) ?? 0) : null,
    sort: query.get('sort') === 'change' ? 'change' : 'newest',
    page: parsePageNumber(query),
  };
}

/** Returns the address of a view, with the parameters of a dialog or notice over it. */
export function favoritesPath(
  { list = null, sort = 'newest', page = 1 }: Partial<FavoritesView>,
  over: Record<string, string | number> = {},
): string {
  const query = new URLSearchParams();
  if (list !== null) query.set('list', String(list));
  if (sort !== 'newest') query.set('sort', sort);
  if (page > 1) query.set('page', String(page));
  for (const [name, value] of Object.entries(over)) query.set(name, String(value));
  return query.size > 0 ? `/favorites?${query}` : '/favorites';
}

/** Returns the path of the favorites page with a notice that a deal was removed. */
export function withEmptiedHeart(path: string, dealId: string): string {
  const { pathname, searchParams } = new URL(path, 'http://site.invalid');
  if (pathname !== '/favorites') return path;
  return favoritesPath(readView(searchParams), { emptied: dealId });
}
