export interface TextPart {
  /** The position of the part in the whole text. */
  start: number;
  text: string;
  isTyped: boolean;
}

/**
 * Splits a suggestion at the typed text, ignoring case and accents, so that the new part can be
 * bold.
 */
export function splitTyped(text: string, typed: string): TextPart[] {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [{ start: 0, text, isTyped: false }];
  const { letters, starts } = spread(text);
  const longestFirst = words.toSorted((a, b) => b.length - a.length).map(escapePattern);
  const typedParts = [...letters.matchAll(new RegExp(longestFirst.join('|'), 'gu'))].filter(
    // A match within a longer number does not count as typed.
    ({ 0: part, index }) => !/^\d/.test(part) || !/\d$/.test(letters.slice(0, index)),
  );
  const bounds = typedParts.flatMap(({ 0: part, index }) => [
    starts[index] ?? 0,
    starts[index + part.length] ?? 0,
  ]);
  const cuts = [0, ...bounds, text.length];
  // Cuts at the bounds, so that typed and untyped parts alternate.
  return cuts
    .slice(1)
    .map((end, index) => {
      const start = cuts[index] ?? 0;
      return { start, text: text.slice(start, end), isTyped: index % 2 === 1 };
    })
    .filter((part) => part.text !== '');
}

/** Returns the compared letters, and their positions in the text. */
function spread(text: string): { letters: string; starts: number[] } {
  let letters = '';
  const starts: number[] = [];
  for (const { 0: letter, index } of text.matchAll(/.\p{M}*/gsu)) {
    const same = plain(letter);
    letters += same;
    for (let unit = 0; unit < same.length; unit++) starts.push(index);
  }
  return { letters, starts: [...starts, text.length] };
}

/** Folds fewer characters than `fold`, but is small enough for the browser. */
function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function escapePattern(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/-]/g, (sign) => (sign === '-' ? '\\x2d' : `\\${sign}`));
}
