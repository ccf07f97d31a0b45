import type { DealSort } from './deal-sorts.ts';

/**
 * The URL of the first page of a list or search. `listAddress` creates it, so that no page
 * parses URLs.
 */
export interface ListAddress {
  path: string;
  /** Every known parameter in order, empty if unset. */
  values: Record<string, string>;
  /** The available sort orders, the default first. */
  sorts: readonly DealSort[];
}

/** Returns the URL with some values changed, without defaults. `''` removes a value. */
export function listHref(
  { path, values, sorts }: ListAddress,
  changes: Record<string, string> = {},
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...values, ...changes })) {
    if (value && !(name === 'sort' && value === sorts[0])) query.set(name, value);
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** Returns the URL of another page of the list. */
export function listPageHref(list: ListAddress, page: number): string {
  return listHref(list, { page: page > 1 ? String(page) : '' });
}

const notFilters = new Set(['search', 'exact', 'sort', 'page']);

/** Returns the active filters, in the order of the bar. Query and sort order are not filters. */
export function activeFilters({ values }: ListAddress): { name: string; value: string }[] {
  return Object.entries(values)
    .filter(([name, value]) => value && !notFilters.has(name))
    .map(([name, value]) => ({ name, value }));
}

/** Returns the URL of the same list or search without filters. */
export function unfilteredHref(list: ListAddress): string {
  return listHref(list, Object.fromEntries(activeFilters(list).map(({ name }) => [name, ''])));
}
