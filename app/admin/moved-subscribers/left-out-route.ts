import { data } from 'react-router';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  exportLeftOut,
  findSubscriberMove,
} from '#app/features/moved-subscribers/subscriber-move-queries.server.ts';
import { describeOutcome } from '#app/features/moved-subscribers/subscriber-outcomes.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { csvResponse } from '#app/platform/csv.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import type { Route } from './+types/left-out-route';

/** Exports the rows of a list that were left out, as CSV. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const actor = requireRight(context, 'newsletter.manage').id;
  const { db } = appServices(context);
  const move = await findSubscriberMove(db, parseRowId(params.id) ?? 0);
  if (!move) throw data(null, { status: 404 });
  await writeAudit(db, {
    actor,
    action: 'subscriber_move.export',
    entity: 'subscriber_move',
    entityId: move.id,
  });
  const rows = exportLeftOut(db, move, describeOutcome);
  return csvResponse(`left-out-${move.id}`, ['Line', 'Email', 'Status', 'Reason'], rows);
}
