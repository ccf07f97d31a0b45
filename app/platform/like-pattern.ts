/** A LIKE pattern for "contains this", in which `%`, `_` and `\` stand for themselves. */
export function containsPattern(text: string): string {
  return `%${escapeLike(text)}%`;
}

export function startsWithPattern(text: string): string {
  return `${escapeLike(text)}%`;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
