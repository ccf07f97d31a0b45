import { shortDate, weekday } from '#app/platform/time-words.ts';

const day = 86_400_000;

/** Returns a text such as "12 new since Tuesday". */
export function newSince(
  { unseen, seen_at }: { unseen: number; seen_at: Date },
  now: Date,
  timeZone: string,
): string {
  const days = (now.getTime() - seen_at.getTime()) / day;
  const isToday = shortDate(seen_at, timeZone) === shortDate(now, timeZone);
  const since = isToday ? 'earlier today' : (days < 6 ? weekday : shortDate)(seen_at, timeZone);
  return `${unseen.toLocaleString('en-US')} new since ${since}`;
}
