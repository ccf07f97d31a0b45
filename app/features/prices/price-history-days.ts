/**
 * The ranges of the price chart: `days` in the URL, the label of the link, and the wording for the
 * sentence above.
 */
export const historyRanges = [
  { value: '30', days: 30, label: '30 days' },
  { value: '90', days: 90, label: '90 days' },
  { value: '365', days: 365, label: '1 year' },
  { value: 'all', days: null, label: 'All' },
] as const;

export type HistoryDays = (typeof historyRanges)[number]['days'];

export const usualHistoryDays = 90;

/**
 * Parses the range. Unknown values become the default range, so that a mistyped URL still shows the
 * deal.
 */
export function parseHistoryDays(value: string | null): HistoryDays {
  const range = historyRanges.find((known) => known.value === value);
  return range ? range.days : usualHistoryDays;
}
