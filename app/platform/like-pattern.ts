/** A LIKE pattern for "contains this", in which `%`, `_` and `\` stand for themselves. */
export function containsPattern(text: string): string {
  return `%${escapeLike(text)}%`;
}

export function startsWithPattern(text: string): string {
  return `${escapeLike(text)}%`;
}

/** A trigram index helps only where three letters or digits stand together. */
export function hasTrigram(text: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(text);
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
