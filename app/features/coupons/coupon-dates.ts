import { fromWallClock } from '#app/platform/wall-clock.ts';

type Edge = 'start' | 'end';
/** Whether the day or the month comes first in dates such as `03/04/2026`. */
export type DateOrder = 'day' | 'month' | null;

const slashed = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?:[ ,](.*))?$/;
const worded = /^(?:(\d{1,2})[ -]([a-z]{3,9})|([a-z]{3,9}) (\d{1,2})),?[ -](\d{4})(?:[ ,](.*))?$/i;
const zoned = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s*(?:Z|UTC|[+-]\d\d:?\d\d)$/i;
const plain = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](.*))?$/;
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** Returns the order that fits all of these dates, or `null` if none of them shows it. */
export function dateOrder(texts: Iterable<string>): DateOrder {
  for (const text of texts) {
    const [, first, second] = slashed.exec(text.trim()) ?? [];
    if (Number(first) > 12) return 'day';
    if (Number(second) > 12) return 'month';
  }
  return null;
}

/**
 * Parses a date in any format of coupon lists, in the site's time zone unless it names another. A
 * date without a time means the start of the day, or its last second for an `end`. Returns `null`
 * if invalid.
 */
export function readCouponDate(
  text: string,
  edge: Edge,
  { order, timeZone }: { order: DateOrder; timeZone: string },
): Date | null {
  const typed = text.trim();
  if (zoned.test(typed)) {
    const iso = typed.replace(' ', 'T').replace(/UTC$/i, 'Z').replace(/\s/g, '');
    const moment = new Date(iso.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
    return Number.isNaN(moment.getTime()) ? null : moment;
  }
  const parts = readParts(typed, order);
  const clock = parts && readClock(parts.time, edge);
  if (!clock) return null;
  const day = [parts.year, parts.month, parts.day].map((part) => part.padStart(2, '0')).join('-');
  return fromWallClock(`${day}T${clock}`, timeZone);
}

function readParts(typed: string, order: DateOrder) {
  const [, year, month, day, time] = plain.exec(typed) ?? [];
  if (year && month && day) return { year, month, day, time };
  const [, first, second, atYear, atTime] = slashed.exec(typed) ?? [];
  if (first && second && atYear) {
    // German and similar dates such as 3.4.2026 have the day first.
    const isDayFirst = typed.includes('.') || order === 'day';
    if (!isDayFirst && order === null && first !== second) return null;
    const [dayPart, monthPart] = isDayFirst ? [first, second] : [second, first];
    return { year: atYear, month: monthPart, day: dayPart, time: atTime };
  }
  const [, day1, name1, name2, day2, wordedYear, wordedTime] = worded.exec(typed) ?? [];
  const month3 = months.indexOf((name1 ?? name2 ?? '').slice(0, 3).toLowerCase()) + 1;
  const dayOf = day1 ?? day2;
  if (month3 === 0 || !dayOf || !wordedYear) return null;
  return { year: wordedYear, month: String(month3), day: dayOf, time: wordedTime };
}

/** Returns a time such as `18:30:00`, from a 24-hour or AM/PM time, or `null` if invalid. */
function readClock(time: string | undefined, edge: Edge): string | null {
  if (!time?.trim()) return edge === 'end' ? '23:59:59' : '00:00:00';
  const [, hours, minutes, seconds = '00', half] =
    /^(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*([ap]m)?$/i.exec(time.trim()) ?? [];
  if (!hours || !minutes) return null;
  const isAfternoon = half?.toLowerCase() === 'pm';
  const hour = half ? (Number(hours) % 12) + (isAfternoon ? 12 : 0) : Number(hours);
  return [String(hour).padStart(2, '0'), minutes, seconds].join(':');
}
