import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { parseClicksAsked } from '#app/features/clicks/click-range.ts';
import {
  earningExportHeadings,
  exportEarnings,
} from '#app/features/earnings/earning-figures.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { csvResponse } from '#app/platform/csv.server.ts';
import type { Route } from './+types/export-earnings-route';

/** Exports the sales of a period as CSV. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const actor = requireRight(context, 'earnings.read').id;
  const { db, log, now } = appServices(context);
  const { days } = parseClicksAsked(new URL(request.url).searchParams);
  await writeAudit(db, { actor, action: 'earning.export', entity: 'earning', after: { days } });
  log.info({ event: 'export', of: 'earnings', by: actor }, 'earnings exported');
  const at = now();
  const name = `earnings-${at.toISOString().slice(0, 10)}`;
  return csvResponse(name, earningExportHeadings, exportEarnings(db, days, at));
}
