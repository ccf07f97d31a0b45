/** The effect on rows when their parent is deleted. A test compares this with the foreign keys. */
type Fate = 'go' | 'stay without it' | 'forbid it';

export interface TableRules {
  /** The effect when a person is erased. */
  person?: Fate;
  /** The column with the email address that `erasePerson` uses if there is no foreign key. */
  erasedByAddress?: string;
  erasedById?: string;
  /** Columns that keep an erased person's id, which then identifies no one. */
  keepsIdIn?: readonly string[];
  /** Columns with a person's id but no foreign key, in rows that are deleted with their parent. */
  hasIdIn?: readonly string[];
  /** The name of the rows in a person's data download, or the reason why they are left out. */
  download?: { as: string } | { not: string };
  /** The effect when a deal is deleted. An undo restores rows and recomputes derived ones. */
  deal?: Fate | 'go by trigger' | 'made again';
  merchant?: Fate;
  /** Whether the table has a column `is_demo`, used to remove the demo shop's rows. */
  isDemo?: true;
  /** Whether backups omit the rows, because they are copies or are included as files. */
  leftOut?: true;
  /**
   * Whether a restore may replace the rows without asking, because the table is never empty or
   * contains no user data.
   */
  isInternal?: true;
  /**
   * The retention of rows: a job and an SQL condition for the rows that it deletes, or the reason
   * to keep all. `hasIndex`: an index begins with the condition's first column. Without one, the
   * job reads the table in parts.
   */
  old: { job: string; where: string; hasIndex?: true } | 'kept' | 'go with their owner';
}

/** Returns the rule that deletes rows this many days after they left their queue. */
export function left(job: string, days: number, since = 'created_at') {
  return { job, where: `state <> 'queued' and ${since} < now() - interval '${days} days'` };
}

/** Returns the rule for daily rows that are compared with the previous year. `day` is in UTC. */
export function overAYear(job: string, day: string) {
  return { job, where: `${day} < (now() at time zone 'utc')::date - 400` };
}

export const spent = (where: string) => ({ job: 'forget-spent-attempts', where });

export const indexed = <Old extends object>(old: Old) => ({ ...old, hasIndex: true as const });

export const indexedIn = (job: string, where: string) => indexed({ job, where });

export const anHour = (since: string) => indexed(spent(`${since} < now() - interval '1 hour'`));

export const counted = { not: 'a count or copy of its content' };

export const byOwner = 'go with their owner';

/** days; visitors' reports on a deal count for that long */
export const daysReported = 14;
