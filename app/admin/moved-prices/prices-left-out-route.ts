import { data } from 'react-router';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  exportPricesLeftOut,
  findPriceMove,
} from '#app/features/moved-prices/price-move-queries.server.ts';
import { describePriceOutcome } from '#app/features/moved-prices/price-outcomes.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { csvResponse } from '#app/platform/csv.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import type { Route } from './+types/prices-left-out-route';

/** Exports the rows of a price file that were left out, as CSV. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const actor = requireRight(context, 'catalog.write').id;
  const { db } = appServices(context);
  const move = await findPriceMove(db, parseRowId(params.id) ?? 0);
  if (!move) throw data(null, { status: 404 });
  await writeAudit(db, {
    actor,
    action: 'price_move.export',
    entity: 'price_move',
    entityId: move.id,
  });
  const rows = exportPricesLeftOut(db, move, describePriceOutcome);
  const columns = ['Line', 'Deal', 'Date', 'Price', 'Source', 'Reason'];
  return csvResponse(`prices-left-out-${move.id}`, columns, rows);
}
