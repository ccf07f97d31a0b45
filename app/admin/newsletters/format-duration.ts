import { countNoun } from '#app/platform/count-noun.ts';

/** Returns an approximate duration: `a minute`, `25 minutes`, `3 hours`, `2 days`. */
export function formatDuration(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 1) return 'a minute';
  if (minutes < 90) return countNoun(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? countNoun(hours, 'hour') : countNoun(Math.round(hours / 24), 'day');
}
