import { dealsTable } from '#app/features/deals/deals-table.ts';
import { parseTableQuery, tableHref } from '#app/platform/table-query.ts';

/** Returns the list under an open form, whose address has the search parameters of both. */
export function listHref(url: string): string {
  return tableHref(dealsTable, parseTableQuery(dealsTable, new URL(url).searchParams));
}
