/**
 * Returns a LIKE pattern for "contains this", in which the characters `%`, `_` and `\` are literal.
 */
export function containsPattern(text: string): string {
  return `%${escapeLike(text)}%`;
}

export function startsWithPattern(text: string): string {
  return `${escapeLike(text)}%`;
}

/** Returns whether a trigram index helps, which needs three adjacent letters or digits. */
export function hasTrigram(text: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(text);
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
