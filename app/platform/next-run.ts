const bounds = [
  [0, 59], // minute
  [0, 23], // hour
  [1, 31], // day of the month
  [1, 12], // month
  [0, 6], // day of the week
] as const;
const minute = 60_000;
const mostMinutes = 366 * 24 * 60;

/** When a schedule of five fields (UTC; numbers, `*`, lists, ranges, steps) is next due after a moment. */
export function nextRun(schedule: string, after: Date): Date | null {
  const fields = schedule.split(' ').map((field, at) => valuesOf(field, bounds[at] ?? [0, 0]));
  const moment = new Date(Math.floor(after.getTime() / minute) * minute);
  for (let passed = 0; passed < mostMinutes; passed++) {
    moment.setTime(moment.getTime() + minute);
    const parts = [
      moment.getUTCMinutes(),
      moment.getUTCHours(),
      moment.getUTCDate(),
      moment.getUTCMonth() + 1,
      moment.getUTCDay(),
    ];
    if (parts.every((part, at) => fields[at]?.has(part))) return moment;
  }
  return null;
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
