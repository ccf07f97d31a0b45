import { FeedError } from './feed-error.ts';
import { findClose, splitLine, splitSpan } from './split-line.ts';

/** A record of a table: a line, or several if a quoted cell has line breaks. */
export interface TableRecord {
  cells: string[];
  /** The first line of the record, counted from 1. */
  line: number;
  /** The reason for a doubt: a quotation mark, or the record's size. */
  doubt: 'unclosed' | 'spans rows' | 'too large' | undefined;
  /** Whether the text ends without a line break, so that the record may be cut off. */
  isCut: boolean;
}

/** The maximum number of characters in a record; a larger one is omitted. */
const largestRecord = 256 * 1024;
/** The number of lines in a quoted cell that are compared with the header. */
const mostCompared = 20;
/** In a longer header with line breaks, a quotation mark is probably missing. */
const longestHeader = 8_192;

/** A line in the buffer. `next` is the start of the following one. */
interface Line {
  text: string;
  next: number;
  isCut: boolean;
}

/**
 * Splits a table into records as it arrives. A quoted cell may have several lines. If these lines
 * look like rows, a closing mark is missing, and the opening one is a plain character.
 */
export class TableRecords {
  /** The reason why the table cannot be read any further. */
  failure: FeedError | null = null;
  /** The number of lines above the text. */
  linesAbove = 0;
  readonly #delimiter: string;
  readonly #isQuoted: boolean;
  #text = '';
  #at = 0;
  #line = 1;
  /** `\n`, or `\r` in files from classic Mac OS. */
  #lineEnd = '';
  /** The number of columns. */
  #width = -1;
  /** A range that is known to contain no end of a quoted cell. */
  #unclosed = { from: 0, to: 0 };
  /** The oversized record whose remainder is being skipped. */
  #skipped: TableRecord | null = null;
  #isInQuotes = false;
  #isEnd = false;

  constructor({ delimiter, isQuoted }: { delimiter: string; isQuoted: boolean }) {
    this.#delimiter = delimiter;
    this.#isQuoted = isQuoted;
  }

  write(chunk: string): TableRecord[] {
    this.#text = this.#text.slice(this.#at) + chunk;
    this.#unclosed.from -= this.#at;
    this.#unclosed.to -= this.#at;
    this.#at = 0;
    return this.#take();
  }

  end(): TableRecord[] {
    this.#isEnd = true;
    return this.#take();
  }

  #take(): TableRecord[] {
    const records: TableRecord[] = [];
    this.#lineEnd ||= lineEndOf(this.#text, this.#isEnd);
    if (this.#lineEnd === '') return records;
    for (;;) {
      const record = this.#skipped ? this.#skip(this.#skipped) : this.#next();
      if (!record) return records;
      if (!record.doubt && record.cells.every((cell) => cell.trim() === '')) continue;
      if (this.#width === -1) this.#width = record.cells.length;
      records.push(record);
    }
  }

  /** Returns the next record, or `null` if more text is needed. */
  #next(): TableRecord | null {
    const line = this.#lineAt(this.#at);
    if (line === 'too long') return this.#beginSkip();
    if (line === null) return null;
    const { cells, openCell, openAt } = this.#isQuoted
      ? splitLine(line.text, this.#delimiter)
      : { cells: line.text.split(this.#delimiter), openCell: -1, openAt: -1 };
    if (openCell === -1) return this.#accept(cells, line);
    // An even number of marks occurs in texts like `"The Big" lamp`.
    const doubt = line.text.split('"').length % 2 === 0 ? 'unclosed' : undefined;
    const asCharacter = () => this.#accept(cells, line, doubt);
    const isTab = this.#delimiter === '\t';
    const isRow = this.#isRow(cells);
    // The last cell may continue on the next line, so this line alone is not conclusive.
    const isComplete = isRow && openCell < cells.length - 1;
    // Text does not contain tabs.
    if (isTab && isComplete) return asCharacter();
    const span = this.#spanOf(this.#at + openAt + 1);
    if (span === 'more') return null;
    if (span === null) {
      const isLeftOpen = line.isCut ? !(isTab && isRow) : !isComplete;
      return isLeftOpen && this.#width !== -1
        ? this.#withoutClose(line, asCharacter)
        : asCharacter();
    }
    const { rows, lines } = this.#compare(line.next, span.end, cells.length);
    if (this.#width === -1) {
      if (rows === lines || span.end - this.#at > longestHeader) return asCharacter();
    } else if (
      (rows === lines && (isRow || lines > 1)) ||
      (rows > 0 && isTab) ||
      ((rows > 0 || isComplete) && !this.#isRow(span.cells))
    ) {
      return asCharacter();
    }
    const hasLinks = isComplete && this.#text.slice(line.next, span.end).includes('://');
    return this.#acceptSpan(span, rows > 0 || hasLinks ? 'spans rows' : undefined);
  }

  /** Returns a row whose last quoted cell is not closed: it is damaged, too large or cut off. */
  #withoutClose(line: Line, asCharacter: () => TableRecord): TableRecord | null {
    if (!line.isCut && this.#compare(line.next, this.#text.length).rows > 0) return asCharacter();
    if (this.#text.length - this.#at > largestRecord) return this.#beginSkip();
    this.failure = new FeedError(
      `the feed ends in the middle of an item at line ${this.#line + this.linesAbove}`,
    );
    return null;
  }

  #acceptSpan(
    { cells, end }: { cells: string[]; end: number },
    doubt: TableRecord['doubt'],
  ): TableRecord {
    const line = this.#line;
    const isCut = this.#isEnd && end === this.#text.length;
    const last = this.#lineAt(end);
    this.#advance(typeof last === 'object' && last ? last.next : end);
    return this.#record(cells, line, isCut, doubt);
  }

  #accept(cells: string[], { next, isCut }: Line, doubt?: TableRecord['doubt']): TableRecord {
    this.#at = next;
    return this.#record(cells, this.#line++, isCut, doubt);
  }

  #record(cells: string[], line: number, isCut: boolean, doubt: TableRecord['doubt']): TableRecord {
    return { cells, line: line + this.linesAbove, doubt, isCut };
  }

  /** Counts the lines up to the next record. */
  #advance(next: number): void {
    let end = this.#text.indexOf(this.#lineEnd, this.#at);
    while (end !== -1 && end < next) {
      this.#line++;
      end = this.#text.indexOf(this.#lineEnd, end + 1);
    }
    this.#at = next;
  }

  /** Returns the line, or the rest of one, from this position, or `null` if more text is needed. */
  #lineAt(from: number): Line | 'too long' | null {
    const text = this.#text;
    const end = text.indexOf(this.#lineEnd, from);
    if ((end === -1 ? text.length : end) - from > largestRecord) return 'too long';
    if (end === -1) {
      if (!this.#isEnd || from >= text.length) return null;
      return { text: text.slice(from), next: text.length, isCut: true };
    }
    const isWindows = end > from && text.charCodeAt(end - 1) === 13;
    return { text: text.slice(from, isWindows ? end - 1 : end), next: end + 1, isCut: false };
  }

  /** Returns a record whose quoted cells have line breaks, or `null` if a cell is not closed. */
  #spanOf(afterQuote: number): { cells: string[]; end: number } | 'more' | null {
    const to = Math.min(this.#text.length, this.#at + largestRecord);
    const isEnd = this.#isEnd && to === this.#text.length;
    const part = { text: this.#text, to, isEnd, lineEnd: this.#lineEnd };
    const { from: since, to: until } = this.#unclosed;
    const isKnown = afterQuote >= since && afterQuote < until;
    const close = findClose(part, isKnown ? until : afterQuote, this.#delimiter);
    const isAll = this.#isEnd || this.#text.length - this.#at > largestRecord;
    if (close === -1) {
      if (!isAll) return 'more';
      this.#unclosed = { from: isKnown ? since : afterQuote, to: Math.max(afterQuote, to - 1_024) };
      return null;
    }
    return splitSpan(part, this.#at, this.#delimiter) ?? (isAll ? null : 'more');
  }

  #isRow(cells: readonly string[], width = this.#width): boolean {
    if (width === -1 || cells.length < width) return false;
    return cells.length === width || cells.slice(width).every((cell) => cell.trim() === '');
  }

  /** Returns how many of the lines look like rows, that is, have as many cells as the header. */
  #compare(from: number, end: number, headerWidth = -1): { rows: number; lines: number } {
    const width = this.#width === -1 ? headerWidth : this.#width;
    let [rows, lines] = [0, 0];
    for (let at = from; at < end && lines < mostCompared; lines++) {
      const line = this.#lineAt(at);
      if (line === 'too long' || line === null) break;
      if (this.#isRow(splitLine(line.text, this.#delimiter).cells, width)) rows++;
      at = line.next;
    }
    return { rows, lines };
  }

  /** Begins to skip an oversized record, keeping only its first cells. */
  #beginSkip(): TableRecord | null {
    const line = this.#line + this.linesAbove;
    const head = this.#text.slice(this.#at, this.#at + largestRecord);
    const cells = splitLine(head, this.#delimiter).cells.slice(0, -1);
    this.#skipped = { cells, line, doubt: 'too large', isCut: false };
    this.#isInQuotes = this.#isQuoted && head.startsWith('"');
    this.#advance(this.#at + (this.#isInQuotes ? 1 : 0));
    return this.#skip(this.#skipped);
  }

  /** Returns the skipped record once its end is reached, or `null` if more text is needed. */
  #skip(record: TableRecord): TableRecord | null {
    for (;;) {
      const found = this.#isInQuotes ? this.#skipQuoted() : this.#skipPlain();
      if (found === 'more') break;
      if (found === 'end') {
        this.#skipped = null;
        return record;
      }
    }
    if (!this.#isEnd) return null;
    this.#skipped = null;
    this.#at = this.#text.length;
    if (!this.#isInQuotes) return record;
    this.failure = new FeedError(
      `the row at line ${record.line} is larger than 256 KB; is a quotation mark never closed?`,
    );
    return null;
  }

  #skipPlain(): 'on' | 'end' | 'more' {
    const text = this.#text;
    const end = text.indexOf(this.#lineEnd, this.#at);
    const open = this.#isQuoted ? text.indexOf(`${this.#delimiter}"`, this.#at) : -1;
    if (open !== -1 && (end === -1 || open < end)) {
      this.#at = open + 2;
      this.#isInQuotes = true;
      return 'on';
    }
    this.#advance(end === -1 ? Math.max(this.#at, text.length - 1) : end + 1);
    return end === -1 ? 'more' : 'end';
  }

  #skipQuoted(): 'on' | 'end' | 'more' {
    const text = this.#text;
    const part = { text, to: text.length, isEnd: this.#isEnd, lineEnd: this.#lineEnd };
    const close = findClose(part, this.#at, this.#delimiter);
    const end = text.indexOf(this.#lineEnd, this.#at);
    if (close !== -1 && (end === -1 || close < end)) {
      this.#at = close + 1;
      this.#isInQuotes = false;
      return 'on';
    }
    if (end === -1) {
      let at = Math.max(this.#at, text.length - longestHeader);
      while (at > this.#at && text[at - 1] === '"') at--;
      this.#at = at;
      return 'more';
    }
    // If the next line is a row, a quotation mark is missing.
    const line = this.#lineAt(end + 1);
    if (line === null && !this.#isEnd) return 'more';
    this.#advance(end + 1);
    const isRow =
      typeof line === 'object' && line && this.#isRow(splitLine(line.text, this.#delimiter).cells);
    if (isRow) this.#isInQuotes = false;
    return isRow ? 'end' : 'on';
  }
}

/** Returns the line ending, or an empty string if more text is needed. */
function lineEndOf(text: string, isEnd: boolean): string {
  const first = /[\r\n]/.exec(text)?.index;
  if (first === undefined) return isEnd || text.length > largestRecord ? '\n' : '';
  if (text[first] === '\n' || text[first + 1] === '\n') return '\n';
  return first + 1 < text.length || isEnd ? '\r' : '';
}
