/** characters; no address or title is longer */
const longestCell = 2_000;

/** Returns a cell of an uploaded table on one line. Longer cells are cut, and then match no deal. */
export function cleanCell(text: string): string {
  return text
    .slice(0, longestCell)
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ')
    .toWellFormed()
    .trim();
}
