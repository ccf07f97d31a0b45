import { dealsTable } from '#app/features/deals/deals-table.ts';
import { parseTableQuery, tableHref } from '#app/platform/table-query.ts';

/** The list that a form stands over: an address has the search of both. */
export function listHref(url: string): string {
  return tableHref(dealsTable, parseTableQuery(dealsTable, new URL(url).searchParams));
}
