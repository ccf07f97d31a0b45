import { countNoun } from '#app/platform/count-noun.ts';

/** Data on how often a price fell, for a deal's page. Shares are from 0 to 1. */
export interface ShownForecast {
  share: number;
  low: number;
  high: number;
  logged_days: number;
  near_days: number;
}

/**
 * share; up to this value, the text says "unlikely". No text says "likely", since on real prices
 * that was wrong half of the time
 */
const unlikelyUpTo = 0.05;

/**
 * Describes how often the price fell, with its range and its basis. The text never gives advice.
 */
export function describeForecast(forecast: ShownForecast): string {
  const { share, low, high, logged_days, near_days } = forecast;
  const unlikely = share <= unlikelyUpTo ? 'A lower price soon is unlikely. ' : '';
  const logged = countNoun(logged_days, 'logged day');
  const often = `became at least 5% cheaper within 30 days ${inTimes(share)}, ${inBand(low, high)}`;
  return near_days > 0
    ? `${unlikely}At about this price it ${often}. Based on ${logged}, ${near_days.toLocaleString('en-US')} of them at about this price.`
    : `${unlikely}None of ${logged} from a month ago or earlier was at about this price; other deals equally high for their year ${often}.`;
}

const parts = [
  { share: 1 / 2, words: '1 time in 2' },
  { share: 2 / 3, words: '2 times in 3' },
  { share: 3 / 4, words: '3 times in 4' },
  { share: 9 / 10, words: '9 times in 10' },
];

/** Returns a frequency such as `about 1 time in 9`. */
function inTimes(share: number): string {
  if (share < 0.01) return 'less than 1 time in 100';
  if (share < 0.4) return `about 1 time in ${Math.round(1 / share)}`;
  const [nearest] = parts.toSorted((a, b) => Math.abs(a.share - share) - Math.abs(b.share - share));
  return `about ${nearest?.words}`;
}

/**
 * Returns a range such as `between 1 in 20 and 1 in 5`, rounded outward. If the range extends above
 * one half, both ends are in tenths, unless the lower end is below one tenth.
 */
function inBand(low: number, high: number): string {
  const upper =
    high <= 0.5 ? `1 in ${Math.floor(1 / Math.max(high, 0.01))}` : `${Math.ceil(high * 10)} in 10`;
  if (low < 0.01) return `at most ${upper}`;
  const lower =
    high > 0.5 && low >= 0.1 ? `${Math.floor(low * 10)} in 10` : `1 in ${Math.ceil(1 / low)}`;
  return `between ${lower} and ${upper}`;
}
