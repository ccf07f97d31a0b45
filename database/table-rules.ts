/** The effect on rows when their parent is deleted. A test compares this with the foreign keys. */
type Fate = 'go' | 'stay without it' | 'forbid it';

export interface TableRules {
  /** The effect when a person is erased. */
  person?: Fate;
  /** The column with the address or id that `erasePerson` uses where there is no foreign key. */
  erasedByAddress?: string;
  erasedById?: string;
  /** Columns in which the id of an erased person remains. By then the id identifies no one. */
  keepsIdIn?: readonly string[];
  /** Columns with a person's id and no foreign key. The row is deleted with its parent. */
  hasIdIn?: readonly string[];
  /** The name of a person's rows in their download, or the reason for leaving them out. */
  download?: { as: string } | { not: string };
  /** The effect when a deal is deleted. An undo restores rows and recomputes derived ones. */
  deal?: Fate | 'go by trigger' | 'made again';
  merchant?: Fate;
  /** Whether the table has a column `is_demo`, by which the demo shop's rows are removed. */
  isDemo?: true;
  /** Whether a backup omits the rows, because they are copies or are included as files. */
  leftOut?: true;
  /**
   * Whether a restore may replace the rows without asking, because the table is never empty or has
   * no user data. All tables except the omitted ones are in a backup.
   */
  isInternal?: true;
  /**
   * The time for which rows are kept: an SQL condition on rows that the job of this name deletes,
   * or the reason to keep them. `hasIndex`: an index begins with the first column of the condition.
   * Otherwise the table is read in parts.
   */
  old: { job: string; where: string; hasIndex?: true } | 'kept' | 'go with their owner';
}

/** Returns the rule for rows that left their queue this many days ago. */
export function left(job: string, days: number, since = 'created_at') {
  return { job, where: `state <> 'queued' and ${since} < now() - interval '${days} days'` };
}

/** Returns the rule for rows that compare a month with the previous year. `day` is in UTC. */
export function overAYear(job: string, day: string) {
  return { job, where: `${day} < (now() at time zone 'utc')::date - 400` };
}

export const spent = (where: string) => ({ job: 'forget-spent-attempts', where });

export const indexed = <Old extends object>(old: Old) => ({ ...old, hasIndex: true as const });

export const indexedIn = (job: string, where: string) => indexed({ job, where });

export const anHour = (since: string) => indexed(spent(`${since} < now() - interval '1 hour'`));

export const counted = { not: 'a count or copy of its content' };

export const byOwner = 'go with their owner';

/** days for which a visitor's report on a deal counts */
export const daysReported = 14;
