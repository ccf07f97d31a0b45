import { fullDateTime, shortDate } from '#app/platform/time-words.ts';

const hour = 3_600_000;
const day = 24 * hour;

export interface DealExpiry {
  /** Text such as `Ends in 2 days`, `Ends in 5 hours` or `Expired Nov 3, 2026`. */
  text: string;
  /** The day of the expiry, if the text does not name one. */
  date: string | null;
  /** The full date and time in the site's time zone. */
  absolute: string;
  /** Whether less than 24 hours remain. */
  isSoon: boolean;
  daysLeft: number;
}

/** Describes a deal's expiry at the time `now`. Returns `null` without an expiry. */
export function dealExpiry(
  deal: { expires_at: Date | null; is_expired: boolean },
  now: Date,
  timeZone: string,
): DealExpiry | null {
  if (!deal.expires_at) return null;
  const left = deal.expires_at.getTime() - now.getTime();
  const absolute = fullDateTime(deal.expires_at, timeZone);
  const daysLeft = Math.max(0, Math.ceil(left / day));
  const date = shortDate(deal.expires_at, timeZone);
  if (deal.is_expired || left <= 0) {
    return { text: `Expired ${date}`, date: null, absolute, isSoon: false, daysLeft: 0 };
  }
  return { text: `Ends ${inWords(left)}`, date, absolute, isSoon: left < day, daysLeft };
}

function inWords(milliseconds: number): string {
  if (milliseconds >= 2 * day) return `in ${Math.floor(milliseconds / day)} days`;
  if (milliseconds >= day) return 'in 1 day';
  if (milliseconds >= 2 * hour) return `in ${Math.floor(milliseconds / hour)} hours`;
  if (milliseconds >= hour) return 'in 1 hour';
  return 'within the hour';
}
