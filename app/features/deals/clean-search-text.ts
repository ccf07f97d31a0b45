/** In characters, as people count them. */
export const longestSearch = 100;

/** One spelling for what looks the same: composed accents, single spaces, no control characters, at most 100 long. */
export function cleanSearchText(text: string): string {
  const plain = text
    .slice(0, 10 * longestSearch)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\u{FFFD}\s]+/gu, ' ')
    .trim();
  return Array.from(plain).slice(0, longestSearch).join('').trim();
}
