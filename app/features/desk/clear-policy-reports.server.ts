import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { deletePolicyReports } from '#app/platform/policy-report-queries.server.ts';
import type { Db } from '#database/connect.ts';

/** Deletes the policy reports, for example after their causes were fixed or if they were forged. */
export async function clearPolicyReports(db: Db, actor: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await deletePolicyReports(tx);
    await writeAudit(tx, { actor, action: 'site.forget-policy-reports', entity: 'site' });
  });
}
