/** In most feeds more rows than this share have an old price. */
const usualShare = 0.15;

/** How many rows have a reduction, and whether so few that the mapping may be wrong; null when there are no rows. */
export function describeReductions(reduced: number, rows: number): string | null {
  if (rows <= 0) return null;
  const share = reduced / rows;
  const percent = share > 0 && share < 0.01 ? 'Less than 1' : String(Math.round(share * 100));
  const words = `${percent} % of rows have a reduction`;
  if (share >= usualShare) return words;
  return `${words}; that is fewer than in most feeds: check the mapping`;
}
