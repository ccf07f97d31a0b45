import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/** The outcomes of a job's runs, as far back as they are kept. */
export interface JobRuns {
  name: string;
  lastRunAt: Date | null;
  lastSuccessAt: Date | null;
  lastState: 'completed' | 'failed' | 'active' | null;
  failures: number;
  /** The message of the latest failure. */
  lastFailure: string | null;
}

/**
 * Lists the runs of scheduled jobs. Runs of jobs that every process repeats are not recorded. Empty
 * before the first start.
 */
export function listJobRuns(db: Db): Promise<JobRuns[]> {
  return ask(db).rows<JobRuns>`
    select name, max(started_at) as "lastRunAt",
           max(ended_at) filter (where error is null) as "lastSuccessAt",
           (array_agg(case when ended_at is null then 'active' when error is null then 'completed' else 'failed' end
                      order by started_at desc))[1] as "lastState",
           count(error)::int as failures,
           (array_agg(error order by started_at desc) filter (where error is not null))[1] as "lastFailure"
      from job_runs group by name`;
}
