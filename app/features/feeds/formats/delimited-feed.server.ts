import { CsvError, parse } from 'csv-parse';
import { parse as parseSync } from 'csv-parse/sync';
import { FeedError } from './feed-error.ts';
import { type FeedRow, type FieldSources, plainFieldName } from './feed-fields.ts';
import type { MappingFile } from './feed-formats.server.ts';
import { findColumns, readRow } from './find-columns.ts';
import { headlessTable } from './headless-table.ts';
import { scalePrices, valuesOf } from './record-language.ts';

const largestRow = 256 * 1024;

export interface TableShape {
  delimiter: string;
  /** Columns are known by position; there is no header line and no quoting. */
  isHeadless: boolean;
  keepRaw: boolean;
  /** Accepts a header without the required columns. */
  mayMiss: boolean;
  format: MappingFile;
  /** Column names by position, whatever the header says. */
  names?: readonly string[] | undefined;
}

/** Lines above the header: notes, a spreadsheet's delimiter hint, or blank lines. */
const preamble =
  /^\uFEFF?(?:[^\S\n]*\r?\n|(?:#(?![^\n]*[,;|\t][^#\n]*[,;|\t])|"?#\s|sep=)[^\n]*\n)/i;

/** Skips lines above the header; `lines` is their number. */
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

/**
 * The row limit counts characters, of which empty cells have none. Commas in quoted text count as
 * well.
 */
const mostCells = 100_000;
const lineFeed = 10;

/** Throws a FeedError if a line has more cells than any real table. */
async function* withFewCells(
  chunks: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<string> {
  const between = delimiter.charCodeAt(0);
  let cells = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (code === lineFeed) cells = 0;
      else if (code === between && ++cells > mostCells) {
        throw new FeedError(`a row has more than ${mostCells.toLocaleString('en-US')} columns`);
      }
    }
    yield chunk;
  }
}

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

/** Reads a table with one product per row, with columns named in its header line. */
export async function* readDelimited(
  chunks: AsyncIterable<string>,
  sources: FieldSources,
  { delimiter, isHeadless, keepRaw, mayMiss, format, names }: TableShape,
): AsyncGenerator<FeedRow> {
  // Consumes records as they are parsed, since an error would discard those still in the stream.
  const records: { cells: string[]; lastLine: number }[] = [];
  const parser = parse({
    delimiter,
    bom: true,
    quote: isHeadless ? null : '"',
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: largestRow,
    on_record(cells: string[], { lines }) {
      records.push({ cells, lastLine: lines });
      return null;
    },
  });
  let failure: Error | null = null;
  parser.on('error', (error) => {
    failure = error;
  });
  const headless = isHeadless ? headlessTable(format) : null;
  // The user who previews the feed will choose its columns next.
  let header = headless && findColumns(headless.header, sources, mayMiss);
  let prepare = headless && rowPreparer(headless.header, format);
  let above = 0;
  let line = 1;

  function* takeRows(): Generator<FeedRow> {
    for (const { cells, lastLine } of records.splice(0)) {
      const startsAt = line + above;
      line = lastLine + 1;
      if (!header || !prepare) {
        const named = names ? cells.map((cell, at) => names[at] ?? cell) : cells;
        header = findColumns(named, sources, mayMiss);
        prepare = rowPreparer(named, format);
        continue;
      }
      const record: { cells: string[]; problem?: string } | null = headless
        ? headless.read(cells)
        : { cells };
      if (!record || !prepare(record.cells)) continue;
      const row = readRow(startsAt, record.cells, header, keepRaw);
      scalePrices(row, format, valuesOf({ names: header.names, cells: record.cells }));
      const [has, wanted] = [record.cells.length, header.names.length];
      const problem =
        record.problem ??
        (has === wanted ? undefined : `the row has ${has} columns, the header ${wanted}`);
      yield problem === undefined ? row : { ...row, problem };
    }
    if (failure) throw asFeedError(failure, line + above);
  }

  const table = isHeadless ? chunks : withoutPreamble(chunks, (lines) => (above = lines));
  for await (const chunk of withFewCells(table, delimiter)) {
    await new Promise<void>((resolve) => {
      parser.write(chunk, () => resolve());
    });
    yield* takeRows();
  }
  await new Promise<void>((resolve) => {
    parser.end(() => resolve());
  });
  yield* takeRows();
  if (!header) throw new FeedError('the feed is empty');
  headless?.end();
}

/**
 * Fills a row's blanks from the first row of its group, and returns whether the row is a product.
 * It works in place, since a feed has a hundred thousand rows.
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

function asFeedError(error: unknown, line: number): unknown {
  if (!(error instanceof CsvError)) return error;
  const reasons: Partial<Record<CsvError['code'], string>> = {
    CSV_QUOTE_NOT_CLOSED: `the feed ends in the middle of an item at line ${line}`,
    CSV_MAX_RECORD_SIZE: `the row at line ${line} is larger than 256 KB; is a quotation mark never closed?`,
  };
  const reason = reasons[error.code] ?? `the table cannot be read at line ${line}`;
  return new FeedError(reason, { cause: error });
}

const delimiters = ['\t', ',', ';', '|'];

/**
 * Splits the header by its most frequent delimiter, ignoring quoted text; `null` if there is none.
 */
export function sniffHeader(head: string): { delimiter: string; header: string[] } | null {
  const firstLine =
    splitPreamble(head)
      .rest.trimStart()
      .split(/\r\n|\n|\r/, 1)[0] ?? '';
  const bare = firstLine.replace(/"[^"]*"/g, '');
  const best = delimiters
    .map((delimiter) => ({ delimiter, count: bare.split(delimiter).length - 1 }))
    .reduce((a, b) => (b.count > a.count ? b : a));
  if (best.count === 0) return null;
  const header = firstLine.split(best.delimiter).map((name) => name.replace(/^\s*"|"\s*$/g, ''));
  return { delimiter: best.delimiter, header };
}

/** Returns the cells of the first row below the header, as far as the head includes them. */
export function firstCells(head: string, delimiter: string): string[] {
  try {
    const rows: string[][] = parseSync(splitPreamble(head).rest, {
      delimiter,
      bom: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      to: 2,
    });
    return rows[1] ?? [];
  } catch {
    return [];
  }
}
