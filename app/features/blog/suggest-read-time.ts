const wordsPerMinute = 220;

/** How long the text of this HTML takes to read, within what a post may say: 1 to 60 minutes. */
export function suggestReadTime(html: string) {
  const words = html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:#\d+|#x[\da-f]+|nbsp);/gi, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return { words, minutes: Math.min(60, Math.max(1, Math.round(words / wordsPerMinute))) };
}
