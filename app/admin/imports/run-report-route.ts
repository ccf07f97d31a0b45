import type { Route } from './+types/run-report-route';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  findImportRun,
  listRunChanges,
  listRunIssues,
} from '#app/features/feeds/runs/import-log-queries.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { askedRow } from '#app/platform/asked-row.server.ts';
import { csvResponse } from '#app/platform/csv.server.ts';
import { toDecimal } from '#app/platform/money.ts';
import type { Db } from '#database/connect.ts';

const atOnce = 1_000;

/** Everything that a run did and did not do, a line each. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const user = requireRight(context, 'feeds.import');
  const { db, now } = appServices(context);
  const { id } = await askedRow(db, params.id, findImportRun);
  const { currency } = await readSiteSettings(db);
  await writeAudit(db, { actor: user.id, action: 'import.export', entity: 'import', entityId: id });
  return csvResponse(
    `import-${id}-${now().toISOString().slice(0, 10)}`,
    ['What', 'Product', 'Line', 'Title', 'Price before', 'Price now', 'Reason'],
    lines(db, id, currency),
  );
}

async function* lines(
  db: Db,
  runId: number,
  currency: string,
): AsyncGenerator<readonly (string | number | null)[]> {
  for (const { kind, external_id, line, reason } of await listRunIssues(db, runId, atOnce)) {
    yield [kind, external_id, line, null, null, null, reason];
  }
  for (let after = 0; ;) {
    const changes = await listRunChanges(db, runId, after, atOnce);
    for (const { kind, external_id, title, before_price, sale_price } of changes) {
      const before = before_price === null ? null : toDecimal(before_price, currency);
      yield [kind, external_id, null, title, before, toDecimal(sale_price, currency), null];
    }
    const last = changes.at(-1);
    if (!last || changes.length < atOnce) return;
    after = last.deal_id;
  }
}
