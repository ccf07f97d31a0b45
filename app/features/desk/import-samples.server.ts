import {
  importSampleDeals,
  type SampleImportResult,
} from '#app/features/feeds/runs/import-sample-deals.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { openMedia } from '#app/platform/open-media.server.ts';

/** Imports the sample deals, and reports those that failed. */
export async function importSamples(
  { db, env, now }: Pick<AppServices, 'db' | 'env' | 'now'>,
  actor: string,
): Promise<SampleImportResult> {
  const result = await importSampleDeals(db, { media: openMedia({ db, env }), now: now() });
  // Each deal is imported in a separate transaction. A single audit entry covers all of them.
  await writeAudit(db, { actor, action: 'import.samples', entity: 'site', after: result });
  return result;
}
