import { FeedError } from './feed-error.ts';
import { type FeedRow, type FieldSources, plainFieldName } from './feed-fields.ts';
import { type FeedColumn, findColumns, readCells } from './find-columns.ts';

const largestRecord = 256 * 1024;
const deepest = 32;

/** Which JSON this is: a line per product, or one document with a list of products in it. */
export function recogniseJson(head: string, sources: FieldSources): 'json' | 'ndjson' | null {
  const start = head.trimStart();
  if (/^\[\s*(\{|\])/.test(start)) return 'json';
  if (!start.startsWith('{')) return null;
  const beforeList = start.split(/\[\s*\{/, 1)[0] ?? '';
  // A product has a title of its own; an envelope around a list has none before the list.
  const keys = [...beforeList.matchAll(/"([^"\\]{1,60})"\s*:/g)].map(([, key]) => key ?? '');
  const isProduct = keys.some((key) =>
    sources.get(plainFieldName(key))?.some(({ field }) => field === 'title'),
  );
  return isProduct || beforeList.length === start.length ? 'ndjson' : 'json';
}

/** Products of a JSON list (alone or as a member of one object) or of JSON lines, one at a time. */
export async function* readJson(
  chunks: AsyncIterable<string>,
  sources: FieldSources,
  options: { isLines: boolean; keepRaw?: boolean },
): AsyncGenerator<FeedRow> {
  let known: { keys: string; columns: FeedColumn[] } | undefined;
  const records = options.isLines ? splitLines(chunks) : splitRecords(chunks);
  for await (const { text, line } of records) {
    const record = parseRecord(text);
    if (!record) {
      yield { line, values: {}, problem: 'this is no JSON object' };
      continue;
    }
    const header = Object.keys(record);
    const keys = header.join('\n');
    if (known?.keys !== keys)
      known = { keys, columns: columnsOf(header, sources, !known && !options.keepRaw) };
    const cells = header.map((key) => asText(record[key]));
    const row: FeedRow = { line, values: readCells(cells, known.columns) };
    if (options.keepRaw) {
      row.raw = Object.fromEntries(header.map((key, n) => [key, (cells[n] ?? '').slice(0, 300)]));
    }
    yield row;
  }
  if (!known) throw new FeedError('no products were found in the JSON');
}

/** The first record shows whether this is a feed at all; a later one may lack what it has nothing to say about. */
function columnsOf(header: string[], sources: FieldSources, isFirst: boolean): FeedColumn[] {
  if (isFirst) return findColumns(header, sources);
  return header
    .flatMap((name, index) =>
      (sources.get(plainFieldName(name)) ?? []).map((source) => ({ index, ...source })),
    )
    .toSorted((a, b) => a.rank - b.rank);
}

function parseRecord(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** `{ value: "12.00", currency: "USD" }` is a price; lists keep their form, which the category's reader knows. */
function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object') return '';
  if (!Array.isArray(value)) {
    const amount = 'value' in value ? value.value : 'amount' in value ? value.amount : undefined;
    const currency = 'currency' in value ? value.currency : '';
    if (typeof amount === 'string' || typeof amount === 'number') {
      return `${amount} ${typeof currency === 'string' ? currency : ''}`.trim();
    }
  }
  return JSON.stringify(value);
}

interface RecordText {
  text: string;
  line: number;
}

async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<RecordText> {
  let line = 1;
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      if (text.trim() !== '') yield { text, line };
      line++;
    }
    if (rest.length > largestRecord) tooLarge(line);
  }
  if (rest.trim() !== '') yield { text: rest, line };
}

/** Cuts the document where a product's braces close, without reading all of it into memory. */
async function* splitRecords(chunks: AsyncIterable<string>): AsyncGenerator<RecordText> {
  const open: string[] = [];
  let record = '';
  let recordDepth = -1;
  let inText = false;
  let isEscaped = false;
  let line = 1;
  let recordLine = 1;
  for await (const chunk of chunks) {
    let from = 0;
    for (let n = 0; n < chunk.length; n++) {
      const sign = chunk[n] ?? '';
      if (sign === '\n') line++;
      if (inText) {
        if (isEscaped) isEscaped = false;
        else if (sign === '\\') isEscaped = true;
        else if (sign === '"') inText = false;
      } else if (sign === '"') {
        inText = true;
      } else if (sign === '{' || sign === '[') {
        if (sign === '{' && recordDepth === -1 && isInList(open)) {
          [recordDepth, recordLine, from, record] = [open.length, line, n, ''];
        }
        open.push(sign);
        if (open.length > deepest) {
          throw new FeedError(`the JSON is nested deeper than ${deepest} at line ${line}`);
        }
      } else if (sign === '}' || sign === ']') {
        if (open.pop() !== (sign === '}' ? '{' : '[')) {
          throw new FeedError(`the JSON is broken at line ${line}`);
        }
        if (open.length === recordDepth) {
          yield { text: record + chunk.slice(from, n + 1), line: recordLine };
          recordDepth = -1;
        }
      }
    }
    if (recordDepth === -1) continue;
    record += chunk.slice(from);
    if (record.length > largestRecord) tooLarge(recordLine);
  }
  if (open.length > 0) {
    throw new FeedError(`the feed is cut off: it ends at line ${line} in the middle`);
  }
}

/** A list of products, or one that is a member of the document's only object. */
function isInList(open: readonly string[]): boolean {
  const place = open.join('');
  return place === '[' || place === '{[';
}

function tooLarge(line: number): never {
  throw new FeedError(`the product at line ${line} is larger than 256 KB`);
}
