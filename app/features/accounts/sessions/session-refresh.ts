/** Intervals of the session refresh, in milliseconds unless named otherwise. */
export const checkEveryMs = 30_000;
export const refreshBelowMs = 300_000;
export const mostRetries = 6;

const firstDelayMs = 200;

export function isDueForRefresh(endsAt: number, now: number): boolean {
  return endsAt - now < refreshBelowMs;
}

/** 200 ms × 2^n after the n-th failure, n from 0. */
export function delayBeforeRetry(failures: number): number {
  return firstDelayMs * 2 ** failures;
}
