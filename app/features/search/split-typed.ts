export interface TextPart {
  /** Where it begins in the whole. */
  start: number;
  text: string;
  isTyped: boolean;
}

/** A suggestion cut where it repeats what was typed, so that the rest (what is new to the reader) can be bold. */
export function splitTyped(text: string, typed: string): TextPart[] {
  const words = typed.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [{ start: 0, text, isTyped: false }];
  const longestFirst = words.toSorted((a, b) => b.length - a.length).map(escapePattern);
  const pattern = new RegExp(`(${longestFirst.join('|')})`, 'giu');
  let start = 0;
  // A split by a group puts the matches at the odd places.
  return text
    .split(pattern)
    .map((part, index) => {
      start += part.length;
      return { start: start - part.length, text: part, isTyped: index % 2 === 1 };
    })
    .filter((part) => part.text !== '');
}

function escapePattern(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/-]/g, (sign) => (sign === '-' ? '\\x2d' : `\\${sign}`));
}
