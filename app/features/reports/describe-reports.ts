import { timeAgo } from '#app/platform/time-words.ts';

/** So many people said so, the last of them then. */
export interface Tally {
  count: number;
  lastAt: Date;
}

export interface DealReports {
  /** Null until so many agree that a person looks. */
  over: Tally | null;
  works: Tally | null;
  fails: Tally | null;
}

export type ReportAbout = 'over' | 'code';

/** `Reported over by 3, last checked 12 min ago` */
export function describeOver({ count }: Tally, checkedAt: Date, now: Date): string {
  return `Reported over by ${count.toLocaleString('en-US')}, last checked ${timeAgo(checkedAt, now)}`;
}

/** `Code worked for 4, last 2 hours ago; not for 1, last 5 min ago`; empty where nobody has said. */
export function describeCode({ works, fails }: Omit<DealReports, 'over'>, now: Date): string {
  const say = ({ count, lastAt }: Tally) =>
    `for ${count.toLocaleString('en-US')}, last ${timeAgo(lastAt, now)}`;
  if (works && fails) return `Code worked ${say(works)}; not ${say(fails)}`;
  if (works) return `Code worked ${say(works)}`;
  return fails ? `Code did not work ${say(fails)}` : '';
}
