import { CsvError, parse } from 'csv-parse';
import { FeedError } from './feed-error.ts';
import { type FeedField, type FeedRow, type FieldSources, plainFieldName } from './feed-fields.ts';

const largestRow = 256 * 1024;
const required: FeedField[] = ['external_id', 'title', 'deal_url'];

/** Rows of a table with a header line, a row per product, its columns found by name. */
export async function* readDelimited(
  chunks: AsyncIterable<string>,
  sources: FieldSources,
  delimiter: string,
): AsyncGenerator<FeedRow> {
  // Records are taken as they are parsed: what the stream still held would be lost with its error.
  const records: { cells: string[]; lastLine: number }[] = [];
  const parser = parse({
    delimiter,
    bom: true,
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
  let columns: Column[] | null = null;
  let width = 0;
  let line = 1;

  function* takeRows(): Generator<FeedRow> {
    for (const { cells, lastLine } of records.splice(0)) {
      const startsAt = line;
      line = lastLine + 1;
      if (columns) {
        yield readRow(cells, columns, width, startsAt);
      } else {
        columns = findColumns(cells, sources);
        width = cells.length;
      }
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
}

interface Column {
  index: number;
  field: FeedField;
  rank: number;
}

/** Which columns fill which fields, the best first. */
function findColumns(header: readonly string[], sources: FieldSources): Column[] {
  const columns = header
    .flatMap((name, index) =>
      (sources.get(plainFieldName(name)) ?? []).map((source) => ({ index, ...source })),
    )
    .toSorted((a, b) => a.rank - b.rank);
  readLonePriceAsPresent(header, columns);
  const found = new Set(columns.map((column) => column.field));
  const missing: string[] = required.filter((field) => !found.has(field));
  if (!found.has('sale_price') && !found.has('original_price')) missing.push('sale_price');
  if (missing.length > 0) {
    throw new FeedError(
      `no column was found for ${missing.join(', ')}; name it with --map ${missing[0]}=COLUMN. ` +
        `The columns are: ${header
          .map((name) => name.trim().slice(0, 60))
          .join(', ')
          .slice(0, 1_000)}`,
    );
  }
  return columns;
}

/** Beside a "list price" and without a "sale price", a column called "price" is the present one. */
function readLonePriceAsPresent(header: readonly string[], columns: Column[]): void {
  if (columns.some((column) => column.field === 'sale_price')) return;
  const regular = columns.filter((column) => column.field === 'original_price');
  const present = regular.find((column) => plainFieldName(header[column.index] ?? '') === 'price');
  if (present && regular.length > 1) present.field = 'sale_price';
}

function readRow(record: string[], columns: Column[], width: number, line: number): FeedRow {
  const values: FeedRow['values'] = {};
  for (const { index, field } of columns) {
    const text = record[index]?.trim() ?? '';
    if (text === '' || text.toLowerCase() === 'null') continue;
    values[field] ??= text;
  }
  if (record.length === width) return { line, values };
  return { line, values, problem: `the row has ${record.length} columns, the header ${width}` };
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
