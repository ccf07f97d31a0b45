/** The upper bounds of the groups in which forecasts are scored, by predicted share. */
export const groupBounds = [0.05, 0.1, 0.2, 0.5];

/** A group's forecasts: their number, how many are expected to come true, and how many did. */
export interface ForecastGroup {
  /** The index of the group: the number of bounds that its forecasts reach. */
  place: number;
  count: number;
  promised: number;
  fell: number;
}

export const fewestJudged = 200;
const mostError = 0.05;

/**
 * Returns the average difference between predicted and actual frequencies, weighted by group size,
 * from 0 to 1.
 */
export function calibrationError(groups: readonly ForecastGroup[]): number {
  const count = countJudged(groups);
  const apart = groups.reduce((sum, { promised, fell }) => sum + Math.abs(promised - fell), 0);
  return count === 0 ? 0 : apart / count;
}

export function countJudged(groups: readonly ForecastGroup[]): number {
  return groups.reduce((sum, group) => sum + group.count, 0);
}

/** Returns whether forecasts are wrong too often. Fewer than 200 forecasts prove nothing. */
export function isWrongTooOften(groups: readonly ForecastGroup[]): boolean {
  return countJudged(groups) >= fewestJudged && calibrationError(groups) > mostError;
}
