const pattern =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:[T ](?<time>\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(?<zone>Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * ISO 8601 as feeds write it, `+0100` without its colon included; no zone means UTC. A bare day is its first
 * moment, or its last when it is an `end`. Null when it is no date.
 */
export function parseFeedDate(text: string, edge: 'start' | 'end' = 'start'): Date | null {
  const parts = pattern.exec(text.trim())?.groups;
  if (!parts || !isDay(parts.day ?? '')) return null;
  const time = parts.time ?? (edge === 'end' ? '23:59:59' : '00:00');
  const zone = (parts.zone ?? 'Z')
    .toUpperCase()
    .replace(
      /^([+-]\d{2}):?(\d{2})?$/,
      (_, hours: string, minutes: string | undefined) => `${hours}:${minutes ?? '00'}`,
    );
  const date = new Date(`${parts.day}T${time}${zone}`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Not the 31st of February, which `Date` takes for the 3rd of March. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Whether `now` lies inside an interval written `start/end`; null when that cannot be read. */
export function isWithinDates(interval: string, now: Date): boolean | null {
  const [from = '', to = ''] = interval.split('/');
  const start = parseFeedDate(from, 'start');
  const end = parseFeedDate(to, 'end');
  if (!start || !end) return null;
  return start <= now && now <= end;
}
