import { FeedError } from './feed-error.ts';
import { type FeedRow, type FieldSources, plainFieldName } from './feed-fields.ts';
import type { MappingFile } from './feed-formats.server.ts';
import { type FeedHeader, findColumns, readRow } from './find-columns.ts';
import { amountReader } from './price-objects.ts';
import { parseJson } from '#app/platform/parse-json.ts';
import {
  arrangeLists,
  type Flat,
  isSkipped,
  parentJoiner,
  scalePrices,
  valuesOf,
} from './record-language.ts';
import { anyKey, wholeDocument } from './sniff-shape.ts';

const largestRecord = 256 * 1024;
const deepest = 32;
const mostNames = 500;
/** The maximum number of entries in a list of objects that get their own paths. */
const mostEntries = 3;
/** The maximum number of cached record shapes. */
const mostHeaders = 200;

/** Detects the kind of JSON: one product per line, or a single document with a list of products. */
export function recogniseJson(head: string, sources: FieldSources): 'json' | 'ndjson' | null {
  const start = head.trimStart();
  if (/^\[\s*(\{|\])/.test(start)) return 'json';
  if (!start.startsWith('{')) return null;
  // JSON spread over several lines is one document.
  if (/^\{\s*\n/.test(start)) return 'json';
  const [first = '', second = ''] = start.split(/\n\s*/, 2);
  if (parseJson(first) !== undefined) {
    if (second.startsWith('{')) return 'ndjson';
    if (second === '') return 'json';
  }
  const beforeList = start.split(/\[\s*\{/, 1)[0] ?? '';
  // Products have a title of their own; an envelope has none before its list.
  const keys = [...beforeList.matchAll(/"([^"\\]{1,60})"\s*:/g)].map(([, key]) => key ?? '');
  const isProduct = keys.some((key) =>
    sources.get(plainFieldName(key))?.some(({ field }) => field === 'title'),
  );
  return isProduct || beforeList.length === start.length ? 'ndjson' : 'json';
}

interface JsonShape {
  isLines: boolean;
  keepRaw: boolean;
  /** Whether products without the required values are accepted. */
  mayMiss: boolean;
  /** The path of keys to the list of products. */
  place?: string | undefined;
  format: MappingFile;
}

/** Yields products of a list in a JSON document, or of JSON lines, one at a time. */
export async function* readJson(
  chunks: AsyncIterable<string>,
  sources: FieldSources,
  { isLines, keepRaw, mayMiss, place, format }: JsonShape,
): AsyncGenerator<FeedRow> {
  const headers = new Map<string, FeedHeader>();
  const joined = parentJoiner(format.parent);
  const readAmounts = amountReader(format);
  let hasRows = false;
  for await (const { text, line } of isLines ? splitLines(chunks) : splitRecords(chunks, place)) {
    if (text.length > largestRecord) {
      hasRows = true;
      const row = partOf(text, line, sources);
      yield { ...row, problem: 'the product is larger than 256 KB' };
      continue;
    }
    const record = parseJson(text);
    if (typeof record !== 'object' || record === null || Array.isArray(record)) {
      yield { line, values: {}, problem: 'this is not a JSON object' };
      continue;
    }
    if (isDeeperThan(record, deepest)) {
      yield { line, values: {}, problem: `the JSON is nested deeper than ${deepest}` };
      continue;
    }
    arrangeLists(record, format.lists);
    for (const flat of rowsOf(record, format.each).flatMap(joined)) {
      const { names, cells, problem } = flat;
      const valueOf = valuesOf(flat);
      if (isSkipped(format, valueOf)) continue;
      const key = names.join('\n');
      let header = headers.get(key);
      if (!header) {
        // Only the first record decides whether this is a feed at all; later ones may lack values.
        header = findColumns(names, sources, mayMiss || headers.size > 0);
        if (headers.size < mostHeaders) headers.set(key, header);
      }
      const row = readRow(line, cells, header, keepRaw);
      scalePrices(row, format, valueOf);
      readAmounts(row, flat, header);
      yield problem === undefined ? row : { ...row, problem };
    }
  }
  if (headers.size === 0 && !hasRows) throw new FeedError('no products were found in the JSON');
}

/** Flattens a record to a row of names and texts, or to one row per entry of its list `each`. */
function rowsOf(record: object, each: string | undefined): Flat[] {
  const own: Flat = { names: [], cells: [] };
  const entries = new Map<string, unknown>(Object.entries(record));
  const list = each === undefined ? undefined : entries.get(each);
  const hasRows = each !== undefined && Array.isArray(list) && list.length > 0;
  if (hasRows) entries.delete(each);
  for (const [name, value] of entries) flatten(name, value, own);
  if (!hasRows) return [own];
  return list.map((entry: unknown) => {
    const row: Flat = { names: [...own.names], cells: [...own.cells] };
    flatten(each, entry, row);
    return row;
  });
}

function isDeeperThan(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some((one) => isDeeperThan(one, most - 1));
}

/** Flattens nested values, whose names are paths: `price.amount`, `images.0.src`. */
function flatten(path: string, value: unknown, into: Flat): void {
  if (into.names.length >= mostNames) return;
  const isObject = typeof value === 'object' && value !== null;
  const text = asText(value);
  if (!isObject || Array.isArray(value) || !text.startsWith('{')) {
    into.names.push(path);
    into.cells.push(text);
  }
  if (!isObject) return;
  const entries: [string, unknown][] = Object.entries(value);
  for (const [name, entry] of Array.isArray(value) ? entries.slice(0, mostEntries) : entries) {
    const isNested = typeof entry === 'object' && entry !== null;
    if (!Array.isArray(value) || isNested) flatten(`${path}.${name}`, entry, into);
  }
}

/**
 * Returns `{ value: "12.00", currency: "USD" }` as a price. Lists keep their notation, which the
 * category parser understands.
 */
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
  if (Array.isArray(value) && value.length === 0) return '';
  if (Array.isArray(value) && value.length === 1 && typeof value[0] !== 'object') {
    return asText(value[0]);
  }
  return JSON.stringify(value);
}

/** Reads the values in the first part of a product that is too large, so that its id is known. */
function partOf(text: string, line: number, sources: FieldSources): FeedRow {
  const record = parseJson(`${text.slice(0, endOfValues(text))}}`);
  if (typeof record !== 'object' || record === null) return { line, values: {} };
  const [{ names, cells } = { names: [], cells: [] }] = rowsOf(record, undefined);
  return readRow(line, cells, findColumns(names, sources, true), false);
}

/** Returns the position of the last comma between values of the product itself. */
function endOfValues(text: string): number {
  let [depth, end, inText] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (inText && sign === '\\') at++;
    else if (sign === '"') inText = !inText;
    else if (inText) continue;
    else if (sign === '{' || sign === '[') depth++;
    else if (sign === '}' || sign === ']') depth--;
    else if (sign === ',' && depth === 1) end = at;
  }
  return end;
}

/** Yields the lines of a file. Only the first part of an oversized line is kept. */
async function* splitLines(chunks: AsyncIterable<string>) {
  let line = 1;
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      if (text.trim() !== '') yield { text: text.slice(0, largestRecord + 1), line };
      line++;
    }
    if (rest.length > largestRecord) rest = rest.slice(0, largestRecord + 1);
  }
  if (rest.trim() !== '') yield { text: rest, line };
}

interface Frame {
  sign: string;
  /** The key of the value within an object. */
  key: string;
}

/**
 * Whether a product begins with this object: an entry of the chosen list, or else of any outer
 * list.
 */
function beginsRecord(open: readonly Frame[], place: string | undefined): boolean {
  if (place === wholeDocument) return open.length === 0;
  const keys = open.map(({ key }) => key).filter(Boolean);
  if (place?.endsWith(anyKey)) {
    return open.at(-1)?.sign === '{' && [...keys, anyKey].join('/') === place;
  }
  if (open.at(-1)?.sign !== '[') return false;
  if (place === undefined) return /^\{?\[$/.test(open.map(({ sign }) => sign).join(''));
  return keys.join('/') === place;
}

/**
 * Splits the document where a product's braces close. Only the first part of an oversized product
 * is kept.
 */
async function* splitRecords(chunks: AsyncIterable<string>, place: string | undefined) {
  const open: Frame[] = [];
  let record = '';
  let recordDepth = -1;
  let inText = false;
  let isEscaped = false;
  let word = '';
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
        if (recordDepth === -1 && inText && word.length < 200) word += sign;
      } else if (sign === '"') {
        inText = true;
        if (recordDepth === -1) word = '';
      } else if (sign === ',') {
        word = '';
      } else if (sign === '{' || sign === '[') {
        if (sign === '{' && recordDepth === -1 && beginsRecord(open, place)) {
          [recordDepth, recordLine, from, record] = [open.length, line, n, ''];
        }
        open.push({ sign, key: open.at(-1)?.sign === '{' ? word : '' });
        word = '';
        if (open.length > deepest) {
          throw new FeedError(`the JSON is nested deeper than ${deepest} at line ${line}`);
        }
      } else if (sign === '}' || sign === ']') {
        if (open.pop()?.sign !== (sign === '}' ? '{' : '[')) {
          throw new FeedError(`the JSON is broken at line ${line}`);
        }
        if (open.length === recordDepth) {
          const text = (record + chunk.slice(from, n + 1)).slice(0, largestRecord + 1);
          yield { text, line: recordLine };
          recordDepth = -1;
        }
      }
    }
    if (recordDepth === -1) continue;
    if (record.length <= largestRecord) record += chunk.slice(from, from + largestRecord + 1);
  }
  if (open.length > 0) {
    throw new FeedError(`the feed is cut off: it ends at line ${line} in the middle`);
  }
}
