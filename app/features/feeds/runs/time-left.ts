/** The progress of a phase of a run. */
export interface PhaseProgress {
  done: number;
  /** `null` if unknown. */
  all: number | null;
  /** The rows of `all` that change something, which come first; the others are only counted. */
  writes?: number | null;
  /** Seconds in this phase, not in the whole run. */
  seconds: number;
}

/** The time for an unchanged row relative to a written one; measured at 0.05 to 0.12. */
const shareOfUnchanged = 0.1;
const shortest = 1;

/** Returns the seconds that a phase still needs, or `null` if it is too early to tell. */
export function secondsLeft({ done, all, writes, seconds }: PhaseProgress): number | null {
  if (all === null || all <= 0 || seconds < shortest) return null;
  const work = (rows: number) => {
    const written = Math.min(rows, writes ?? all);
    return written + (rows - written) * shareOfUnchanged;
  };
  const finished = work(Math.min(done, all));
  return finished > 0 ? (seconds / finished) * (work(all) - finished) : null;
}
