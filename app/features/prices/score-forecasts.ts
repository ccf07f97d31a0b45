/** Forecasts are judged by groups of what they promised: below 5 %, below 10 %, and so on; shares from 0 to 1. */
export const groupBounds = [0.05, 0.1, 0.2, 0.5];

/** The forecasts of a group: how many, how many of them ought to have come true, how many did. */
export interface ForecastGroup {
  /** How many of the bounds its forecasts reach. */
  place: number;
  count: number;
  promised: number;
  fell: number;
}

export const fewestJudged = 200;
const mostError = 0.05;

/** By how much promised and real frequencies differ on average, each group weighing as many forecasts as it has; 0 to 1. */
export function calibrationError(groups: readonly ForecastGroup[]): number {
  const count = countJudged(groups);
  const apart = groups.reduce((sum, { promised, fell }) => sum + Math.abs(promised - fell), 0);
  return count === 0 ? 0 : apart / count;
}

export function countJudged(groups: readonly ForecastGroup[]): number {
  return groups.reduce((sum, group) => sum + group.count, 0);
}

/** Of fewer than 200 forecasts nothing is said, neither good nor bad. */
export function isWrongTooOften(groups: readonly ForecastGroup[]): boolean {
  return countJudged(groups) >= fewestJudged && calibrationError(groups) > mostError;
}
