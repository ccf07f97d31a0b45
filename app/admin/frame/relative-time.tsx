import { useSite } from '#app/features/site-settings/site-context.tsx';
import { fullTime, timeAgo } from '#app/platform/time-words.ts';

/**
 * A relative time such as `3 hours ago`, with the full time in its title, and `-` for none. `now`
 * comes from the loader.
 */
export function RelativeTime({ at, now }: { at: Date | null; now: Date }) {
  const { timeZone } = useSite();
  if (!at) return '-';
  return (
    <time dateTime={at.toISOString()} title={fullTime(at, timeZone)}>
      {timeAgo(at, now)}
    </time>
  );
}
