/** A post's content: HTML with deals in between. */
type Parts = readonly unknown[];

/** characters of HTML, several times the longest excerpt */
const mostRead = 8_000;

/** Returns whether the text shows this picture, which would otherwise appear twice. */
export function hasPicture(parts: Parts, address: string | null): boolean {
  return (
    address !== null && parts.some((part) => typeof part === 'string' && part.includes(address))
  );
}

/**
 * Returns whether a post begins with its excerpt, as an imported post without its own excerpt
 * does. Punctuation and spaces are ignored.
 */
export function beginsWith([first]: Parts, excerpt: string): boolean {
  if (typeof first !== 'string') return false;
  const text = lettersOf(first.slice(0, mostRead).replace(/<[^<>]*>|&#?\w+;/g, ''));
  return text.startsWith(lettersOf(excerpt));
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}
