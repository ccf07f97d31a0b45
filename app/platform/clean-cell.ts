/** characters; no URL or title is longer */
const longestCell = 2_000;

/**
 * Returns the text of an uploaded table's cell on one line. Longer texts are cut, and then match no
 * deal.
 */
export function cleanCell(text: string): string {
  return text
    .slice(0, longestCell)
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ')
    .toWellFormed()
    .trim();
}
