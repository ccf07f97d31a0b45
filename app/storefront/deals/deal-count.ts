/** `412 deals`, `1 deal`, `12,000+ deals` where an exact count is not worth its cost. */
export function dealCount(total: number, isCapped = false): string {
  const number = `${total.toLocaleString('en-US')}${isCapped ? '+' : ''}`;
  return total === 1 && !isCapped ? `${number} deal` : `${number} deals`;
}
