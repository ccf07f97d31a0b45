const pattern =
  /^(?<day>\d{4}-\d{2}-\d{2}|\d{8})(?:[T ](?<time>\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?|\d{4}(?:\d{2})?)\s*(?<zone>Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * Parses ISO 8601 as feeds write it, including `+0100` without a colon; no zone means UTC. A date
 * without a time means its first second, or its last one for an `end`. Returns `null` if invalid.
 */
export function parseFeedDate(text: string, edge: 'start' | 'end' = 'start'): Date | null {
  const parts = pattern.exec(text.trim())?.groups;
  // The basic format of ISO 8601 has neither hyphens nor colons.
  const day = parts?.day?.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3') ?? '';
  if (!parts || !isDay(day)) return null;
  const time = (parts.time ?? (edge === 'end' ? '23:59:59' : '00:00'))
    .replace(/^\d:/, '0$&')
    .replace(
      /^(\d{2})(\d{2})(\d{2})?$/,
      (_, hours, minutes, seconds = '00') => `${hours}:${minutes}:${seconds}`,
    );
  const zone = (parts.zone ?? 'Z')
    .toUpperCase()
    .replace(
      /^([+-]\d{2}):?(\d{2})?$/,
      (_, hours: string, minutes: string | undefined) => `${hours}:${minutes ?? '00'}`,
    );
  const date = new Date(`${day}T${time}${zone}`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Rejects the 31st of February, which `Date` reads as the 3rd of March. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const wordsBetween = /\s(?:-|–|—|to|until|bis|au|al|tot)\s/i;

/**
 * Whether `now` is within an interval `start/end`, `start - end` or `start|end`. With `|`, either
 * end may be missing. Returns `null` if the interval is unreadable, or if its month-first and
 * day-first readings disagree.
 */
export function isWithinDates(interval: string, now: Date): boolean | null {
  const isOpen = interval.includes('|');
  const between = isOpen ? '|' : wordsBetween.test(interval) ? wordsBetween : '/';
  const [from = '', to = ''] = interval.split(between).map((side) => side.trim());
  const readings = [true, false].map((monthFirst) => {
    const start = readEdge(from, 'start', monthFirst, isOpen);
    const end = readEdge(to, 'end', monthFirst, isOpen);
    return start === null || end === null ? null : start <= now.getTime() && now.getTime() <= end;
  });
  const said = readings.filter((isOn) => isOn !== null);
  return said.every((isOn) => isOn === said[0]) ? (said[0] ?? null) : null;
}

function readEdge(
  text: string,
  edge: 'start' | 'end',
  monthFirst: boolean,
  mayMiss: boolean,
): number | null {
  if (text === '' && mayMiss) return edge === 'start' ? -Infinity : Infinity;
  return parseFeedDate(asIsoDay(text, monthFirst), edge)?.getTime() ?? null;
}

/** Converts `4/1/26` and `01.04.2026`, as shops write dates by locale. */
function asIsoDay(text: string, monthFirst: boolean): string {
  const parts = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{2}|\d{4})$/.exec(text);
  if (!parts) return text;
  const [, first = '', mark, second = '', year = ''] = parts;
  const [month, day] = monthFirst && mark === '/' ? [first, second] : [second, first];
  return `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
