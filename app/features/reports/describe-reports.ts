import { timeAgo } from '#app/platform/time-words.ts';

/** The number of reporters and the time of the latest report. */
export interface Tally {
  count: number;
  lastAt: Date;
}

export interface DealReports {
  /** `null` until enough people agree. */
  over: Tally | null;
  works: Tally | null;
  fails: Tally | null;
}

/** `product`: the deal is not the product that its page compares it with. */
export type ReportAbout = 'over' | 'code' | 'product';

/** Returns a text such as `Reported expired by 3, last checked 12 min ago`. */
export function describeExpired({ count }: Tally, checkedAt: Date, now: Date): string {
  return `Reported expired by ${count.toLocaleString('en-US')}, last checked ${timeAgo(checkedAt, now)}`;
}

/**
 * Returns a text such as `Code worked for 4, last 2 hours ago; not for 1, last 5 min ago`, or an
 * empty string if there are no reports.
 */
export function describeCode({ works, fails }: Omit<DealReports, 'over'>, now: Date): string {
  const say = ({ count, lastAt }: Tally) =>
    `for ${count.toLocaleString('en-US')}, last ${timeAgo(lastAt, now)}`;
  if (works && fails) return `Code worked ${say(works)}; not ${say(fails)}`;
  if (works) return `Code worked ${say(works)}`;
  return fails ? `Code did not work ${say(fails)}` : '';
}
