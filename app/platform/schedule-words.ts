type Parts = readonly (string | undefined)[];

/** Each form of a schedule, with its five cron fields. */
const forms: readonly [words: RegExp, cron: (parts: Parts) => string | null][] = [
  [/^every minute$/, () => '* * * * *'],
  [/^every (5|10|15|20|30) minutes$/, ([step]) => `*/${step} * * * *`],
  [/^hourly at :([0-5]\d)$/, ([minute]) => `${Number(minute)} * * * *`],
  [
    /^hourly at :([0-5]\d) on ((?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)days) and ((?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)days)$/,
    ([minute, one, other]) => `${Number(minute)} * * * ${dayOf(one)},${dayOf(other)}`,
  ],
  [
    /^hourly from ([01]\d|2[0-3]):([0-5]\d) to ([01]\d|2[0-3]):\2$/,
    ([from = '', minute, to = '']) =>
      from < to ? `${Number(minute)} ${Number(from)}-${Number(to)} * * *` : null,
  ],
  [
    /^daily at ([01]\d|2[0-3]):([0-5]\d)$/,
    ([hour, minute]) => `${Number(minute)} ${Number(hour)} * * *`,
  ],
  [
    /^weekly at ([01]\d|2[0-3]):([0-5]\d) on ((?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)days)$/,
    ([hour, minute, day]) => `${Number(minute)} ${Number(hour)} * * ${dayOf(day)}`,
  ],
];

const days = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];

const dayOf = (word = '') => days.indexOf(word);

/** Returns a job's schedule as a five-field cron expression in UTC: "daily at 03:50" is `50 3 * * *`. */
export function cronOf({ name, schedule }: { name: string; schedule: string }): string {
  for (const [words, cron] of forms) {
    const found = words.exec(schedule);
    const fields = found && cron(found.slice(1));
    if (fields) return fields;
  }
  throw new Error(`The job ${name} has a schedule that cannot be read: "${schedule}".`);
}
