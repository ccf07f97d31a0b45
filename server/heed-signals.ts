type Stop = 'SIGINT' | 'SIGTERM';

/**
 * ms; a signal to a process group arrives twice, directly and through `bin/bootstrap.mjs`, so only
 * a later one is a second request
 */
const sameRequestMs = 1_000;
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Calls `stop` on the first SIGINT or SIGTERM. The same signal again ends the process immediately.
 * Returns a function that restores the default.
 */
export function heedSignals(stop: (signal: Stop) => void): () => void {
  const first = new Map<Stop, number>();
  const hear = (signal: Stop) => {
    const now = performance.now();
    const before = first.get(signal);
    if (before !== undefined) {
      if (now - before > sameRequestMs) process.exit(exitCodes[signal]);
      return;
    }
    first.set(signal, now);
    if (first.size === 1) stop(signal);
  };
  process.on('SIGINT', hear);
  process.on('SIGTERM', hear);
  return () => {
    process.off('SIGINT', hear);
    process.off('SIGTERM', hear);
  };
}
