const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago a moment was, seen from `now`: `just now`, `12 min ago`, `3 hours ago`, `2 days ago`. */
export function timeAgo(moment: Date, now: Date): string {
  const passed = now.getTime() - moment.getTime();
  if (passed < minute) return 'just now';
  if (passed < hour) return `${Math.floor(passed / minute)} min ago`;
  if (passed < day) return count(Math.floor(passed / hour), 'hour');
  return count(Math.floor(passed / day), 'day');
}

const formats = {
  full: {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  },
  weekday: { dateStyle: 'full', timeStyle: 'short' },
  short: { dateStyle: 'medium' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;
// To make a formatter costs a hundred times as much as to use it, and a list shows dozens of dates.
const formatters = new Map<string, Intl.DateTimeFormat>();

/** `November 21, 2026 at 12:00 PM UTC`, in the site's time zone. */
export function fullTime(moment: Date, timeZone: string): string {
  return format('full', moment, timeZone);
}

/** `Saturday, November 21, 2026 at 12:00 PM`, in the site's time zone. */
export function fullDateTime(moment: Date, timeZone: string): string {
  return format('weekday', moment, timeZone);
}

/** `Nov 21, 2026`, in the site's time zone. */
export function shortDate(moment: Date, timeZone: string): string {
  return format('short', moment, timeZone);
}

function format(style: keyof typeof formats, moment: Date, timeZone: string): string {
  const key = `${style} ${timeZone}`;
  let formatter = formatters.get(key);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', { ...formats[style], timeZone });
    formatters.set(key, formatter);
  }
  return formatter.format(moment);
}

function count(n: number, unit: string): string {
  return `${n} ${unit}${n === 1 ? '' : 's'} ago`;
}
