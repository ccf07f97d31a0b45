import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { dealsTable } from '#app/features/deals/deals-table.ts';
import { dealExportHeadings, exportDeals } from '#app/features/deals/export-deals.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { csvResponse } from '#app/platform/csv.server.ts';
import { parseTableQuery, tableHref } from '#app/platform/table-query.ts';
import type { Route } from './+types/export-deals-route';

/** Exports the filtered deals as CSV. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const actor = requireRight(context, 'catalog.read').id;
  const { db, log, now } = appServices(context);
  const query = parseTableQuery(dealsTable, new URL(request.url).searchParams);
  await writeAudit(db, {
    actor,
    action: 'deal.export',
    entity: 'deal',
    after: { list: tableHref(dealsTable, query, { page: 1 }) },
  });
  log.info({ event: 'export', of: 'deals', by: actor }, 'deals exported');
  const name = `deals-${now().toISOString().slice(0, 10)}`;
  return csvResponse(name, dealExportHeadings(), exportDeals(db, query));
}
