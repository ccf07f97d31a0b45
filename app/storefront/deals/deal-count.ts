/** Live and lapsed deals of a list, the lapsed last: where it is capped, there are more of those that come last. */
export interface ListTotals {
  total: number;
  /** Of the total, those that are over. */
  overTotal: number;
  isTotalCapped: boolean;
}

/** `228 deals in Audio, and 12 that are over`: every count on the site is of live deals. */
export function countOfList({ total, overTotal, isTotalCapped }: ListTotals, where = ''): string {
  if (overTotal === 0) return dealCount(total, isTotalCapped) + where;
  const over = `${overTotal.toLocaleString('en-US')}${isTotalCapped ? '+' : ''}`;
  const verb = over === '1' ? 'is' : 'are';
  return `${dealCount(total - overTotal)}${where}, and ${over} that ${verb} over`;
}

/** `412 deals`, `1 deal`, `12,000+ deals` where an exact count is not worth its cost. */
export function dealCount(total: number, isCapped = false): string {
  const number = `${total.toLocaleString('en-US')}${isCapped ? '+' : ''}`;
  return total === 1 && !isCapped ? `${number} deal` : `${number} deals`;
}
