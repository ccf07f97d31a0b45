const nightly = /^nightly-(\d{4}-\d\d-\d\dT\d\d-\d\d)\.backup$/;

/** Returns a name such as `nightly-2026-11-24T02-45.backup`, in UTC. */
export function nightlyName(now: Date): string {
  return `nightly-${now.toISOString().slice(0, 16).replace(':', '-')}.backup`;
}

/** ms; the clocks of two servers of one site may differ by minutes. */
export const clockSkew = 3_600_000;

/**
 * Lists the names that the site gives its own backups, the newest first. A name from the future is
 * ignored.
 */
export function nightlyBackups(
  names: readonly string[],
  now: Date,
): { name: string; day: string }[] {
  const last = nightlyName(new Date(now.getTime() + clockSkew));
  return names
    .flatMap((name) => {
      const [, time] = nightly.exec(name) ?? [];
      return time && name <= last ? [{ name, day: time.slice(0, 10) }] : [];
    })
    .toSorted((one, other) => (one.name < other.name ? 1 : -1));
}

const daysKept = 7;
const weeksKept = 4;

/**
 * Returns the names to delete. The newest backup of each of the last seven days is kept. The same
 * holds for the last four weeks that have a backup. A site that was stopped for a month loses none.
 */
export function outdatedBackups(names: readonly string[], now: Date): string[] {
  const backups = nightlyBackups(names, now);
  const kept = new Set([
    ...newestOfEach(backups, ({ day }) => day, daysKept),
    ...newestOfEach(backups, ({ day }) => mondayOf(day), weeksKept),
  ]);
  return backups.map(({ name }) => name).filter((name) => !kept.has(name));
}

function newestOfEach<One extends { name: string }>(
  newestFirst: readonly One[],
  of: (one: One) => string,
  most: number,
): string[] {
  const newest = new Map<string, string>();
  for (const one of newestFirst) if (!newest.has(of(one))) newest.set(of(one), one.name);
  return [...newest.values()].slice(0, most);
}

/** Returns the Monday of a day's week (ISO 8601). */
function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}
