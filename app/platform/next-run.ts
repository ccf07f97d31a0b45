const bounds = [
  [0, 59], // minute
  [0, 23], // hour
  [1, 31], // day of the month
  [1, 12], // month
  [0, 6], // day of the week
] as const;
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const mostMinutes = 366 * 24 * 60;

/**
 * Returns when a schedule of five fields (UTC; numbers, `*`, lists, ranges, steps) is next due
 * after a time.
 */
export function nextRun(schedule: string, after: Date): Date | null {
  const fields = fieldsOf(schedule);
  const moment = new Date(Math.floor(after.getTime() / minute) * minute);
  for (let passed = 0; passed < mostMinutes; passed++) {
    moment.setTime(moment.getTime() + minute);
    if (partsOf(moment).every((part, at) => fields[at]?.has(part))) return moment;
  }
  return null;
}

/** Returns when a schedule was last due, up to a time, or null if it was not due after `since`. */
export function lastRun(schedule: string, until: Date, since: Date): Date | null {
  const fields = fieldsOf(schedule);
  let moment = startOf(minute, until.getTime());
  while (moment > since.getTime()) {
    const [isMinute, isHour, ...isDay] = partsOf(new Date(moment)).map((part, at) =>
      fields[at]?.has(part),
    );
    if (isDay.includes(false)) moment = startOf(day, moment) - minute;
    else if (!isHour) moment = startOf(hour, moment) - minute;
    else if (!isMinute) moment -= minute;
    else return new Date(moment);
  }
  return null;
}

function startOf(unit: number, moment: number): number {
  return Math.floor(moment / unit) * unit;
}

function fieldsOf(schedule: string): Set<number>[] {
  return schedule.split(' ').map((field, at) => valuesOf(field, bounds[at] ?? [0, 0]));
}

function partsOf(moment: Date): number[] {
  return [
    moment.getUTCMinutes(),
    moment.getUTCHours(),
    moment.getUTCDate(),
    moment.getUTCMonth() + 1,
    moment.getUTCDay(),
  ];
}

function valuesOf(field: string, [lowest, highest]: readonly [number, number]): Set<number> {
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const [range = '*', step = '1'] = part.split('/');
    const [from = lowest, to = range === '*' ? highest : from] =
      range === '*' ? [] : range.split('-').map(Number);
    for (let value = from; value <= to; value += Number(step)) values.add(value);
  }
  return values;
}
