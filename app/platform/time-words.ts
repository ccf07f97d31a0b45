const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Returns the time since an instant, seen from `now`: `just now`, `12 min ago`, `3 hours ago`, `2
 * days ago`.
 */
export function timeAgo(moment: Date, now: Date): string {
  const passed = now.getTime() - moment.getTime();
  if (passed < minute) return 'just now';
  if (passed < hour) return `${Math.floor(passed / minute)} min ago`;
  const [count, unit] = passed < day ? [passed / hour, 'hour'] : [passed / day, 'day'];
  return `${Math.floor(count)} ${unit}${Math.floor(count) === 1 ? '' : 's'} ago`;
}

// Caches a formatter per time zone: creating one costs a hundred times as much as using it, and a
// list shows dozens of dates.
function inTimeZone(options: Intl.DateTimeFormatOptions) {
  const formatters = new Map<string, Intl.DateTimeFormat>();
  return (moment: Date, timeZone: string): string => {
    const formatter =
      formatters.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { ...options, timeZone });
    formatters.set(timeZone, formatter);
    return formatter.format(moment);
  };
}

/** Formats as `November 21, 2026 at 12:00 PM UTC`, in the site's time zone. */
export const fullTime = inTimeZone({
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** Formats as `Nov 21, 2026, 12:00 PM UTC`, in the site's time zone. */
export const shortTime = inTimeZone({
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** Formats as `Saturday, November 21, 2026 at 12:00 PM`, in the site's time zone. */
export const fullDateTime = inTimeZone({ dateStyle: 'full', timeStyle: 'short' });

/** Formats as `November 21, 2026`, in the site's time zone. */
export const longDate = inTimeZone({ dateStyle: 'long' });

/** Formats as `2026`, in the site's time zone. */
export const yearOf = inTimeZone({ year: 'numeric' });

/** Formats as `Nov 21, 2026`, in the site's time zone. */
export const shortDate = inTimeZone({ dateStyle: 'medium' });

/** Formats as `Tuesday`, in the site's time zone. */
export const weekday = inTimeZone({ weekday: 'long' });
