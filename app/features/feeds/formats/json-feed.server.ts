import { FeedError } from './feed-error.ts';
import { type FeedRow, type FieldSources, plainFieldName } from './feed-fields.ts';
import { type FeedHeader, findColumns, readRow } from './find-columns.ts';
import { parseJson } from './parse-json.ts';

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
  { isLines, keepRaw }: { isLines: boolean; keepRaw: boolean },
): AsyncGenerator<FeedRow> {
  let header: FeedHeader | undefined;
  for await (const { text, line } of isLines ? splitLines(chunks) : splitRecords(chunks)) {
    const record = parseJson(text);
    if (typeof record !== 'object' || record === null || Array.isArray(record)) {
      yield { line, values: {}, problem: 'this is not a JSON object' };
      continue;
    }
    const names = Object.keys(record);
    if (header?.names.join('\n') !== names.join('\n')) {
      // The first record shows whether this is a feed at all; a later one may lack what it has nothing to say about.
      header = findColumns(names, sources, keepRaw || header !== undefined);
    }
    yield readRow(line, Object.values(record).map(asText), header, keepRaw);
  }
  if (!header) throw new FeedError('no products were found in the JSON');
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

async function* splitLines(chunks: AsyncIterable<string>) {
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
async function* splitRecords(chunks: AsyncIterable<string>) {
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
        // In a list of products, or in one that is a member of the document's only object.
        if (sign === '{' && recordDepth === -1 && /^\{?\[$/.test(open.join(''))) {
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

function tooLarge(line: number): never {
  throw new FeedError(`the product at line ${line} is larger than 256 KB`);
}
