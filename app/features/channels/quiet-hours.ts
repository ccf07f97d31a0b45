import { fromWallClock, toWallClock } from '#app/platform/wall-clock.ts';

interface QuietHours {
  quiet_from: number | null;
  quiet_to: number | null;
}

/** Returns the seconds until a channel's quiet hours end, or 0 outside of them. */
export function secondsOfQuiet(
  { quiet_from: from, quiet_to: to }: QuietHours,
  now: Date,
  timeZone: string,
): number {
  if (from === null || to === null || from === to) return 0;
  const clock = toWallClock(now, timeZone);
  const hours = Number(clock.slice(11, 13));
  const isQuiet = from < to ? hours >= from && hours < to : hours >= from || hours < to;
  if (!isQuiet) return 0;
  const day = new Date(`${clock.slice(0, 10)}T${String(to).padStart(2, '0')}:00Z`);
  if (hours >= to) day.setUTCDate(day.getUTCDate() + 1);
  const end = fromWallClock(day.toISOString().slice(0, 16), timeZone) ?? now;
  return Math.ceil((end.getTime() - now.getTime()) / 1_000);
}
