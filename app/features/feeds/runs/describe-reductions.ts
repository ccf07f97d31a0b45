/** In most feeds, more than this share of rows has an old price. */
const usualShare = 0.15;

/**
 * Describes how many rows have a sale price, and warns if there are so few that the mapping may be
 * wrong. Returns `null` if there are no rows.
 */
export function describeReductions(reduced: number, rows: number): string | null {
  if (rows <= 0) return null;
  const share = reduced / rows;
  const percent = share > 0 && share < 0.01 ? 'Less than 1' : String(Math.round(share * 100));
  const words = `${percent}% of rows have a sale price`;
  if (share >= usualShare) return words;
  return `${words}; fewer than in most feeds: check the mapping`;
}
