import { FeedError } from './feed-error.ts';
import { type FeedRow, type FieldSources, plainFieldName } from './feed-fields.ts';
import type { MappingFile } from './feed-formats.server.ts';
import { findColumns, readRow } from './find-columns.ts';
import { headlessTable } from './headless-table.ts';
import { scalePrices, valuesOf } from './record-language.ts';
import { type TableRecord, TableRecords } from './table-records.ts';

export interface TableShape {
  delimiter: string;
  /** Whether the table has no header line and no quoting, so that columns are known by position. */
  isHeadless: boolean;
  keepRaw: boolean;
  /** Whether a header without the required columns is accepted. */
  mayMiss: boolean;
  format: MappingFile;
  /** Column names by position, regardless of the header. */
  names?: readonly string[] | undefined;
}

/** Lines above the header: notes, a spreadsheet's delimiter hint, or blank lines. */
const preamble =
  /^\uFEFF?(?:[^\S\n]*\r?\n|(?:#(?![^\n]*[,;|\t][^#\n]*[,;|\t])|"?#\s|sep=)[^\n]*\n)/i;

/** Skips the `lines` above the header. */
async function* withoutPreamble(
  chunks: AsyncIterable<string>,
  leaves: (lines: number) => void,
): AsyncGenerator<string> {
  let held: string | null = '';
  for await (const chunk of chunks) {
    if (held === null) {
      yield chunk;
      continue;
    }
    held += chunk;
    if (held.length < longestPreamble) continue;
    yield cutPreamble(held, leaves);
    held = null;
  }
  if (held !== null) yield cutPreamble(held, leaves);
}

const longestPreamble = 16_384;

const mostCells = 100_000;

function cutPreamble(head: string, leaves: (lines: number) => void): string {
  const { rest, lines } = splitPreamble(head);
  leaves(lines);
  return rest;
}

function splitPreamble(head: string): { rest: string; lines: number } {
  let rest = head;
  let lines = 0;
  for (let found = preamble.exec(rest); found; found = preamble.exec(rest)) {
    rest = rest.slice(found[0].length);
    lines++;
  }
  return { rest, lines };
}

/** Reads a table with one product per row, whose header line names the columns. */
export async function* readDelimited(
  chunks: AsyncIterable<string>,
  sources: FieldSources,
  { delimiter, isHeadless, keepRaw, mayMiss, format, names }: TableShape,
): AsyncGenerator<FeedRow> {
  const table = new TableRecords({ delimiter, isQuoted: !isHeadless });
  const headless = isHeadless ? headlessTable(format) : null;
  // The user who previews the feed will choose its columns next.
  let header = headless && findColumns(headless.header, sources, mayMiss);
  let prepare = headless && rowPreparer(headless.header, format);

  function* readRows(records: TableRecord[]): Generator<FeedRow> {
    for (const record of records) {
      const { cells, line, doubt } = record;
      if (cells.length > mostCells) {
        throw new FeedError(`a row has more than ${mostCells.toLocaleString('en-US')} columns`);
      }
      if (!header || !prepare) {
        if (doubt === 'too large') throw new FeedError('the header line is larger than 256 KB');
        const named = cells.map((cell, at) => names?.[at] ?? asName(cell));
        header = findColumns(named, sources, mayMiss);
        prepare = rowPreparer(named, format);
        continue;
      }
      const read: { cells: string[]; problem?: string } | null = headless
        ? headless.read(cells)
        : fitCells(cells, header.names.length);
      if (!read || !prepare(read.cells)) continue;
      const row = readRow(line, read.cells, header, keepRaw);
      scalePrices(row, format, valuesOf({ names: header.names, cells: read.cells }));
      const problem =
        doubt === 'too large'
          ? tooLarge
          : (read.problem ?? widthFault(read.cells, record.isCut, row.values, header.names.length));
      const note = problem === undefined ? noteOf(record) : undefined;
      yield { ...row, ...(problem !== undefined && { problem }), ...(note && { notes: [note] }) };
    }
  }

  const text = isHeadless ? chunks : withoutPreamble(chunks, (lines) => (table.linesAbove = lines));
  for await (const chunk of text) yield* readRows(table.write(chunk));
  yield* readRows(table.end());
  if (table.failure) throw table.failure;
  if (!header) throw new FeedError('the feed is empty');
  headless?.end();
}

const tooLarge = 'the row is larger than 256 KB';

/** Removes blank cells beyond the header. */
function fitCells(cells: string[], width: number): { cells: string[] } {
  const isBlank = (cell: string) => cell.trim() === '';
  const isLonger = cells.length > width && cells.slice(width).every(isBlank);
  return { cells: isLonger ? cells.slice(0, width) : cells };
}

/**
 * Treats cells missing at the end of a row as blank, unless they are required or the file was cut
 * off there.
 */
function widthFault(
  { length }: readonly string[],
  isCut: boolean,
  values: FeedRow['values'],
  width: number,
): string | undefined {
  const isWhole = values.title && values.deal_url && (values.sale_price || values.original_price);
  if (length === width || (length < width && isWhole && !isCut)) return undefined;
  return `the row has ${length} columns, the header ${width}`;
}

function noteOf({ doubt, isCut }: TableRecord): string | undefined {
  if (doubt === 'unclosed') {
    return 'a quotation mark is never closed, so it was read as part of the text';
  }
  if (doubt === 'spans rows') {
    return 'a quoted cell has several lines; if it merges products, a quotation mark is missing';
  }
  return isCut
    ? 'the file ends without a line break here, so its last value may be cut off'
    : undefined;
}

/**
 * Fills a row's blanks from the first row of its group, and returns whether the row is a product.
 * Rows are changed in place, since a feed may have a hundred thousand.
 */
function rowPreparer(names: readonly string[], { inherits, skips = {} }: MappingFile) {
  const plain = names.map(plainFieldName);
  const group = inherits ? plain.indexOf(plainFieldName(inherits.by)) : -1;
  const inherited = (inherits?.columns ?? [])
    .map((name) => plain.indexOf(plainFieldName(name)))
    .filter((index) => index !== -1);
  const unwanted = Object.entries(skips)
    .map(([name, words]) => ({ index: plain.indexOf(plainFieldName(name)), words: new Set(words) }))
    .filter(({ index }) => index !== -1);
  let first: readonly string[] = [];
  return (cells: string[]): boolean => {
    if (group !== -1 && cells[group] !== first[group]) first = [...cells];
    else if (group !== -1) {
      for (const index of inherited) if (!cells[index]?.trim()) cells[index] = first[index] ?? '';
    }
    return !unwanted.some(({ index, words }) =>
      words.has((cells[index] ?? '').trim().toLowerCase()),
    );
  };
}

const delimiters = ['\t', ',', ';', '|'];

/**
 * Splits the header by its most frequent delimiter, ignoring quoted text. Returns `null` if there
 * is none.
 */
export function sniffHeader(head: string): { delimiter: string; header: string[] } | null {
  const table = splitPreamble(head).rest.trimStart();
  const bare = table.split(/\r\n|\n|\r/, 1)[0]?.replace(/"[^"]*"/g, '') ?? '';
  const best = delimiters
    .map((delimiter) => ({ delimiter, count: bare.split(delimiter).length - 1 }))
    .reduce((a, b) => (b.count > a.count ? b : a));
  if (best.count === 0) return null;
  const [first] = firstRecords(table, best.delimiter);
  const header = first?.cells.map(asName) ?? [];
  return { delimiter: best.delimiter, header };
}

/** Returns the cells of the first row below the header, as far as `head` contains them. */
export function firstCells(head: string, delimiter: string): string[] {
  return firstRecords(splitPreamble(head).rest, delimiter)[1]?.cells ?? [];
}

/** Joins the lines of a heading, which may have line breaks. */
function asName(heading: string): string {
  return heading.replace(/\s+/g, ' ').trim();
}

function firstRecords(text: string, delimiter: string): TableRecord[] {
  const table = new TableRecords({ delimiter, isQuoted: true });
  return [...table.write(text), ...table.end()];
}
