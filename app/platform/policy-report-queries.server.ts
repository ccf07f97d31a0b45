import { sql } from 'kysely';
import type { PolicyReport } from '#app/platform/read-policy-reports.ts';
import type { Db } from '#database/connect.ts';

/**
 * kinds of reports; forged reports can create no more than these, and known kinds are still counted
 */
export const mostPolicyReports = 500;

/** Counts browsers' reports. A new kind beyond the limit is dropped. */
export async function notePolicyReports(
  db: Db,
  reports: readonly PolicyReport[],
  most = mostPolicyReports,
): Promise<void> {
  if (reports.length === 0) return;
  await db.transaction().execute(async (tx) => {
    // The lock serializes requests, since concurrent ones would all see the same free places.
    await sql`lock table policy_reports in share row exclusive mode`.execute(tx);
    await sql`
      with told as (
        select directive, blocked, path, count(*) as times
          from json_to_recordset(${JSON.stringify(reports)}::json)
            as r (directive text, blocked text, path text)
         group by directive, blocked, path
      ), placed as (
        select t.*, p.path is not null as is_known,
               row_number() over (partition by p.path is null order by t.directive, t.blocked, t.path) as place
          from told t left join policy_reports p using (directive, blocked, path)
      )
      insert into policy_reports (directive, blocked, path, seen)
      select directive, blocked, path, times from placed
       where is_known or place <= ${most} - (select count(*) from policy_reports)
      on conflict (directive, blocked, path) do update
         set seen = policy_reports.seen + excluded.seen, last_seen_at = now()`.execute(tx);
  });
}

export interface PolicyReportRow extends PolicyReport {
  seen: number;
  lastSeenAt: Date;
}

/** Returns the most recently reported kinds, and the total number of kinds. */
export async function listPolicyReports(
  db: Db,
  limit: number,
): Promise<{ rows: PolicyReportRow[]; total: number }> {
  const rows = await db
    .selectFrom('policy_reports')
    .select(['directive', 'blocked', 'path', 'seen', 'last_seen_at as lastSeenAt'])
    .orderBy('last_seen_at', 'desc')
    .orderBy('seen', 'desc')
    .orderBy(sql`directive, blocked, path`)
    .limit(limit)
    .execute();
  const { total } = await db
    .selectFrom('policy_reports')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { rows, total };
}

export async function deletePolicyReports(db: Db): Promise<void> {
  await db.deleteFrom('policy_reports').execute();
}
