import { CsvError, parse } from 'csv-parse';
import { FeedError } from './feed-error.ts';
import type { FeedRow, FieldSources } from './feed-fields.ts';
import { type FeedColumn, findColumns, matchColumns, readCells } from './find-columns.ts';
import { type RakutenTable, rakutenTable } from './rakuten-table.ts';

const largestRow = 256 * 1024;

export interface TableShape {
  delimiter: string;
  /** Rakuten's table: columns by place, a first and a last line of its own, no quotes. */
  isRakuten?: boolean;
  keepRaw?: boolean;
}

/** Rows of a table, a row per product, its columns found by the names in its header line. */
export async function* readDelimited(
  chunks: AsyncIterable<string>,
  sources: FieldSources,
  { delimiter, isRakuten = false, keepRaw = false }: TableShape,
): AsyncGenerator<FeedRow> {
  // Records are taken as they are parsed: what the stream still held would be lost with its error.
  const records: { cells: string[]; lastLine: number }[] = [];
  const parser = parse({
    delimiter,
    bom: true,
    quote: isRakuten ? null : '"',
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
  const rakuten: RakutenTable | null = isRakuten ? rakutenTable() : null;
  let header: readonly string[] = rakuten?.header ?? [];
  // Somebody who looks at the feed is about to say what its columns mean.
  const find = keepRaw ? matchColumns : findColumns;
  let columns: FeedColumn[] | null = rakuten ? find(header, sources) : null;
  let line = 1;

  function* takeRows(): Generator<FeedRow> {
    for (const { cells, lastLine } of records.splice(0)) {
      const startsAt = line;
      line = lastLine + 1;
      if (!columns) {
        header = cells;
        columns = find(cells, sources);
        continue;
      }
      const record = rakuten ? rakuten.read(cells) : { cells };
      if (record) yield readRow(record, columns, header, startsAt, keepRaw);
    }
    if (failure) throw asFeedError(failure, line);
  }

  for await (const chunk of chunks) {
    await new Promise<void>((resolve) => {
      parser.write(chunk, () => resolve());
    });
    yield* takeRows();
  }
  await new Promise<void>((resolve) => {
    parser.end(() => resolve());
  });
  yield* takeRows();
  if (columns === null) throw new FeedError('the feed is empty');
  rakuten?.end();
}

function readRow(
  { cells, problem }: { cells: readonly string[]; problem?: string },
  columns: FeedColumn[],
  header: readonly string[],
  line: number,
  keepRaw: boolean,
): FeedRow {
  const row: FeedRow = { line, values: readCells(cells, columns) };
  if (keepRaw) {
    row.raw = Object.fromEntries(
      header.map((name, index) => [name.trim(), (cells[index] ?? '').slice(0, 300)]),
    );
  }
  if (problem !== undefined) return { ...row, problem };
  if (cells.length === header.length) return row;
  return { ...row, problem: `the row has ${cells.length} columns, the header ${header.length}` };
}

function asFeedError(error: unknown, line: number): unknown {
  if (!(error instanceof CsvError)) return error;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    return new FeedError(`the feed ends in the middle of an item at line ${line}`, {
      cause: error,
    });
  }
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    const reason = `the row at line ${line} is larger than 256 KB; a quote that nobody closed would look like this`;
    return new FeedError(reason, { cause: error });
  }
  return new FeedError(`the table cannot be read at line ${line}`, { cause: error });
}

const delimiters = ['\t', ',', ';', '|'];

/** The header's cells by the delimiter it uses most, quoted text left out; null when it has none. */
export function sniffHeader(head: string): { delimiter: string; header: string[] } | null {
  const firstLine = head.trimStart().split(/\r\n|\n|\r/, 1)[0] ?? '';
  const bare = firstLine.replace(/"[^"]*"/g, '');
  const best = delimiters
    .map((delimiter) => ({ delimiter, count: bare.split(delimiter).length - 1 }))
    .reduce((a, b) => (b.count > a.count ? b : a));
  if (best.count === 0) return null;
  const header = firstLine.split(best.delimiter).map((name) => name.replace(/^\s*"|"\s*$/g, ''));
  return { delimiter: best.delimiter, header };
}
