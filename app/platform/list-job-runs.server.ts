import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

/** What became of a job's runs as far back as they are kept. */
export interface JobRuns {
  name: string;
  lastRunAt: Date | null;
  lastSuccessAt: Date | null;
  lastState: 'completed' | 'failed' | 'active' | null;
  failures: number;
  /** The words of the latest failure. */
  lastFailure: string | null;
}

/** Of jobs on the schedule; those that every process repeats by itself leave no trace. Empty before the first start. */
export async function listJobRuns(db: Db): Promise<JobRuns[]> {
  const tables = await sql<{ found: string | null }>`
    select to_regclass('jobs.job')::text as found`.execute(db);
  if (!tables.rows[0]?.found) return [];
  const { rows } = await sql<JobRuns>`
    select name, max(started_on) as "lastRunAt",
           max(completed_on) filter (where state = 'completed') as "lastSuccessAt",
           (array_agg(state::text order by started_on desc nulls last))[1] as "lastState",
           count(*) filter (where state = 'failed')::int as failures,
           (array_agg(output->>'message' order by started_on desc) filter (where state = 'failed'))[1] as "lastFailure"
      from jobs.job where started_on is not null group by name`.execute(db);
  return rows;
}
