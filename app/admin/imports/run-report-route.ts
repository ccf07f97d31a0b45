import type { Route } from './+types/run-report-route';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  findImportRun,
  listRunChanges,
  listRunIssues,
} from '#app/features/feeds/runs/import-log-queries.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { askedRow } from '#app/platform/asked-row.server.ts';
import { csvResponse } from '#app/platform/csv.server.ts';
import { toDecimal } from '#app/platform/money.ts';
import type { Db } from '#database/connect.ts';

const atOnce = 1_000;

/** Exports everything a run did, skipped or rejected, one line each. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const user = requireRight(context, 'feeds.import');
  const { db, now } = appServices(context);
  const { id } = await askedRow(db, params.id, findImportRun);
  await writeAudit(db, { actor: user.id, action: 'import.export', entity: 'import', entityId: id });
  return csvResponse(
    `import-${id}-${now().toISOString().slice(0, 10)}`,
    [
      'What',
      'Product',
      'Line',
      'Title',
      'Price before',
      'Currency before',
      'Price now',
      'Currency now',
      'Reason',
    ],
    lines(db, id),
  );
}

async function* lines(db: Db, runId: number): AsyncGenerator<readonly (string | number | null)[]> {
  for (const { kind, external_id, line, reason } of await listRunIssues(db, runId, atOnce)) {
    yield [kind, external_id, line, null, null, null, null, null, reason];
  }
  for (let after = 0; ;) {
    const changes = await listRunChanges(db, runId, after, atOnce);
    for (const { kind, external_id, title, ...change } of changes) {
      const { before_price, before_currency, sale_price, currency } = change;
      const before =
        before_price === null
          ? [null, null]
          : [toDecimal(before_price, before_currency), before_currency];
      const present = [toDecimal(sale_price, currency), currency];
      yield [kind, external_id, null, title, ...before, ...present, null];
    }
    const last = changes.at(-1);
    if (!last || changes.length < atOnce) return;
    after = last.deal_id;
  }
}
