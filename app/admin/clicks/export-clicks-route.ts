import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { clickExportHeadings, exportClicks } from '#app/features/clicks/click-figures.server.ts';
import { clicksHref, parseClicksAsked } from '#app/features/clicks/click-range.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { csvResponse } from '#app/platform/csv.server.ts';
import type { Route } from './+types/export-clicks-route';

/** Exports the clicks of a period as CSV, by day and by the scope of each chart. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const actor = requireRight(context, 'catalog.read').id;
  const { db, log, now } = appServices(context);
  const asked = parseClicksAsked(new URL(request.url).searchParams);
  const after = { list: clicksHref(asked) };
  await writeAudit(db, { actor, action: 'click.export', entity: 'click', after });
  log.info({ event: 'export', of: 'clicks', by: actor }, 'clicks exported');
  const at = now();
  const name = `clicks-${at.toISOString().slice(0, 10)}`;
  return csvResponse(name, clickExportHeadings, exportClicks(db, asked, at));
}
