const quote = 34;
const space = 32;

/** A part of a text. `isEnd` means that no text follows `to`. */
export interface TextPart {
  text: string;
  to: number;
  isEnd: boolean;
  /** `\n`, or `\r` in files from classic Mac OS. */
  lineEnd: string;
}

export interface SplitLine {
  cells: string[];
  /**
   * The first cell whose quotation mark is not closed on this line, and the position of the mark;
   * -1 if there is none.
   */
  openCell: number;
  openAt: number;
}

/** Splits one line. A quotation mark that is not closed on the line is a plain character. */
export function splitLine(line: string, delimiter: string): SplitLine {
  if (!line.includes('"')) return { cells: line.split(delimiter), openCell: -1, openAt: -1 };
  const part = { text: line, to: line.length, isEnd: true, lineEnd: '\n' };
  const split: SplitLine = { cells: [], openCell: -1, openAt: -1 };
  for (let at = 0; ;) {
    const isQuoted = line.charCodeAt(at) === quote;
    const close = isQuoted ? findClose(part, at + 1, delimiter) : -1;
    if (isQuoted && close === -1 && split.openCell === -1) {
      split.openCell = split.cells.length;
      split.openAt = at;
    }
    const end = line.indexOf(delimiter, close === -1 ? at : close);
    const cell = line.slice(at, end === -1 ? line.length : end);
    split.cells.push(close === -1 ? asCharacters(cell) : unquote(line.slice(at + 1, close)));
    if (end === -1) return split;
    at = end + 1;
  }
}

/**
 * Splits a record whose quoted cells may have line breaks. Returns `null` if the text ends before
 * the record does.
 */
export function splitSpan(
  part: TextPart,
  from: number,
  delimiter: string,
): { cells: string[]; end: number } | null {
  const { text, to, isEnd } = part;
  const cells: string[] = [];
  for (let at = from; ;) {
    const close = text.charCodeAt(at) === quote ? findClose(part, at + 1, delimiter) : -1;
    if (text.charCodeAt(at) === quote && close === -1) return null;
    let end = close === -1 ? at : close + 1;
    while (end < to && !endsCell(part, end, delimiter)) end++;
    if (end === to && !isEnd) return null;
    cells.push(close === -1 ? text.slice(at, end) : unquote(text.slice(at + 1, close)));
    if (end === to || text[end] !== delimiter) return { cells, end };
    at = end + 1;
  }
}

/**
 * Returns the position of the quotation mark that ends a cell, or -1. Before a delimiter or line
 * end, an odd number of marks ends the cell, since two marks are one character.
 */
export function findClose(part: TextPart, from: number, delimiter: string): number {
  const { text, to, isEnd } = part;
  for (let at = text.indexOf('"', from); at !== -1 && at < to;) {
    let end = at + 1;
    while (text.charCodeAt(end) === quote && end < to) end++;
    let next = end;
    while (text.charCodeAt(next) === space && next < to) next++;
    const isOver = next < to ? endsCell(part, next, delimiter) : isEnd;
    if (isOver && (end - at) % 2 === 1) return end - 1;
    at = text.indexOf('"', end);
  }
  return -1;
}

function endsCell({ text, lineEnd }: TextPart, at: number, delimiter: string): boolean {
  const sign = text[at];
  if (sign === '\r') return lineEnd === '\r' || text[at + 1] === '\n';
  return sign === '\n' || sign === delimiter;
}

function unquote(text: string): string {
  return text.includes('"') ? text.replaceAll('""', '"') : text;
}

/**
 * Accepts an inner quote that was not doubled: `"TV 55""` becomes `TV 55"`. `"The Big" lamp` is
 * unchanged.
 */
function asCharacters(cell: string): string {
  const isEnclosed = cell.length > 1 && cell.startsWith('"') && cell.endsWith('"');
  return isEnclosed ? unquote(cell.slice(1, -1)) : cell;
}
