import { dealsTable } from '#app/features/deals/deals-table.ts';
import { parseTableQuery, tableHref } from '#app/platform/table-query.ts';

/** Returns the URL of the list behind an open form. The form's URL has the list's search parameters. */
export function listHref(url: string): string {
  return tableHref(dealsTable, parseTableQuery(dealsTable, new URL(url).searchParams));
}
