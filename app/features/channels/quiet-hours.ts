import { toWallClock } from '#app/platform/wall-clock.ts';

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
  const [hours = 0, minutes = 0] = toWallClock(now, timeZone).slice(11).split(':').map(Number);
  const isQuiet = from < to ? hours >= from && hours < to : hours >= from || hours < to;
  return isQuiet ? (((to - hours + 24) % 24) * 60 - minutes) * 60 : 0;
}
