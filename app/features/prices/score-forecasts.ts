/**
 * Forecasts are judged in groups by their promise: below 5%, below 10%, and so on; shares from 0 to
 * 1.
 */
export const groupBounds = [0.05, 0.1, 0.2, 0.5];

/** A group's forecasts: their number, the expected number that come true, and the actual one. */
export interface ForecastGroup {
  /** The number of bounds that its forecasts reach. */
  place: number;
  count: number;
  promised: number;
  fell: number;
}

export const fewestJudged = 200;
const mostError = 0.05;

/**
 * Returns the average difference between promised and actual frequencies, weighted by the size of
 * each group; 0 to 1.
 */
export function calibrationError(groups: readonly ForecastGroup[]): number {
  const count = countJudged(groups);
  const apart = groups.reduce((sum, { promised, fell }) => sum + Math.abs(promised - fell), 0);
  return count === 0 ? 0 : apart / count;
}

export function countJudged(groups: readonly ForecastGroup[]): number {
  return groups.reduce((sum, group) => sum + group.count, 0);
}

/** Makes no statement below 200 forecasts. */
export function isWrongTooOften(groups: readonly ForecastGroup[]): boolean {
  return countJudged(groups) >= fewestJudged && calibrationError(groups) > mostError;
}
