import { type DealsQuery, dealsTable } from '#app/features/deals/deals-table.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { parseTableQuery, tableHref } from '#app/platform/table-query.ts';
import { mostTicked, type RowChoice } from '../frame/read-selection.ts';

/**
 * Returns the URL of the page that changes these deals. The list's own parameters stay in it, so
 * that the page can link back.
 */
export function editManyHref(list: URLSearchParams, chosen: RowChoice): string {
  const params = new URLSearchParams(list);
  if ('ids' in chosen) params.set('ids', chosen.ids.join(','));
  else params.set('all', '1');
  return `/admin/deals/prices?${params.toString()}`;
}

export interface ChosenDeals {
  selection: { ids: number[] } | { filter: DealsQuery };
  /** The list in which the deals were selected. */
  listHref: string;
  /** Form fields that carry the whole state. */
  fields: Record<string, string>;
}

export function readChosen(params: URLSearchParams): ChosenDeals {
  const filter = parseTableQuery(dealsTable, params);
  const listHref = tableHref(dealsTable, filter);
  const list = Object.fromEntries(new URL(listHref, 'https://site.example').searchParams);
  if (params.get('all') === '1') {
    return { selection: { filter }, listHref, fields: { ...list, all: '1' } };
  }
  const ids = (params.get('ids') ?? '').split(',').map(parseRowId);
  const known = ids.filter((id) => id !== null).slice(0, mostTicked);
  const fields = { ...list, ids: known.join(',') };
  return { selection: { ids: [...new Set(known)] }, listHref, fields };
}
