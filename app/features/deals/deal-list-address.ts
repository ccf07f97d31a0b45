import type { DealSort } from './deal-sorts.ts';

/** The first page of a list or a search, as pages carry it: made by `listAddress`, so that no page parses addresses. */
export interface ListAddress {
  path: string;
  /** Every parameter that it knows, in their order; empty for what is not in force. */
  values: Record<string, string>;
  /** The orders that it offers, the usual one first. */
  sorts: readonly DealSort[];
}

/** The address with some values changed (`''` takes one away), and everything that is the default left out. */
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

/** The address of another page of the list. */
export function listPageHref(list: ListAddress, page: number): string {
  return listHref(list, { page: page > 1 ? String(page) : '' });
}

const notFilters = new Set(['search', 'exact', 'sort', 'page']);

/** The filters in force, in the order of the bar. Words and order hide nothing of what is searched in. */
export function activeFilters({ values }: ListAddress): { name: string; value: string }[] {
  return Object.entries(values)
    .filter(([name, value]) => value && !notFilters.has(name))
    .map(([name, value]) => ({ name, value }));
}

/** The same list or search without its filters. */
export function unfilteredHref(list: ListAddress): string {
  return listHref(list, Object.fromEntries(activeFilters(list).map(({ name }) => [name, ''])));
}
