const wordsPerMinute = 220;

/** Returns the estimated reading time of this HTML, from 1 to 60 minutes. */
export function suggestReadTime(html: string) {
  const words = html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:#\d+|#x[\da-f]+|nbsp);/gi, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return { words, minutes: Math.min(60, Math.max(1, Math.round(words / wordsPerMinute))) };
}
