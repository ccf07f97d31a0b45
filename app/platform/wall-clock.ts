const minute = 60_000;

/** Formats an instant for a `datetime-local` input, in the site's time zone: `2026-11-21T18:30`. */
export function toWallClock(moment: Date, timeZone: string): string {
  return new Date(moment.getTime() + offsetAt(moment, timeZone)).toISOString().slice(0, 16);
}

/**
 * Returns the instant at which a local clock shows this text, or null. In an hour that a clock
 * change skips, the instant is an hour later.
 */
export function fromWallClock(text: string, timeZone: string): Date | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return null;
  const shown = Date.parse(`${text}Z`);
  // JavaScript turns February 30 into March 2.
  if (Number.isNaN(shown) || !new Date(shown).toISOString().startsWith(text)) return null;
  const guess = shown - offsetAt(new Date(shown), timeZone);
  const moment = shown - offsetAt(new Date(guess), timeZone);
  const isSkipped = moment + offsetAt(new Date(moment), timeZone) !== shown;
  return new Date(isSkipped ? Math.max(guess, moment) : moment);
}

/** Returns the offset from UTC at that place and time, in milliseconds. */
function offsetAt(moment: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(moment);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'));
  return shown - Math.floor(moment.getTime() / minute) * minute;
}
