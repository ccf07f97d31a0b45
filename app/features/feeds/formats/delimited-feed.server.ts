import { CsvError, parse } from 'csv-parse';
import { FeedError } from './feed-error.ts';
import type { FeedRow, FieldSources } from './feed-fields.ts';
import { findColumns, readRow } from './find-columns.ts';
import { rakutenTable } from './rakuten-table.ts';

const largestRow = 256 * 1024;

export interface TableShape {
  delimiter: string;
  /** Rakuten's table: columns by place, a first and a last line of its own, no quotes. */
  isRakuten: boolean;
  keepRaw: boolean;
}

/** Rows of a table, a row per product, its columns found by the names in its header line. */
export async function* readDelimited(
  chunks: AsyncIterable<string>,
  sources: FieldSources,
  { delimiter, isRakuten, keepRaw }: TableShape,
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
  const rakuten = isRakuten ? rakutenTable() : null;
  // Somebody who looks at the feed is about to say what its columns mean.
  let header = rakuten && findColumns(rakuten.header, sources, keepRaw);
  let line = 1;

  function* takeRows(): Generator<FeedRow> {
    for (const { cells, lastLine } of records.splice(0)) {
      const startsAt = line;
      line = lastLine + 1;
      if (!header) {
        header = findColumns(cells, sources, keepRaw);
        continue;
      }
      const record: { cells: string[]; problem?: string } | null = rakuten
        ? rakuten.read(cells)
        : { cells };
      if (!record) continue;
      const row = readRow(startsAt, record.cells, header, keepRaw);
      const [has, wanted] = [record.cells.length, header.names.length];
      const problem =
        record.problem ??
        (has === wanted ? undefined : `the row has ${has} columns, the header ${wanted}`);
      yield problem === undefined ? row : { ...row, problem };
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
  if (!header) throw new FeedError('the feed is empty');
  rakuten?.end();
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
