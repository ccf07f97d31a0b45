import { decodeFeed, type FeedSizeLimits, peek, unpackFeed } from './decode-feed.server.ts';
import { firstCells, readDelimited, sniffHeader } from './delimited-feed.server.ts';
import type { FeedEncoding } from './feed-encodings.ts';
import { FeedError } from './feed-error.ts';
import {
  type FeedFormat,
  type FeedMapping,
  type FeedRow,
  type FieldSources,
  fieldSources,
  plainFieldName,
} from './feed-fields.ts';
import { plainCategory } from './feed-category.ts';
import { isSupplement, findSupplement } from './find-supplement.ts';
import {
  formatOf,
  formats,
  type MappingFile,
  recogniseCells,
  recogniseNames,
} from './feed-formats.server.ts';
import { matchColumns, unknownNames } from './find-columns.ts';
import { recogniseHeadless } from './headless-table.ts';
import { withoutCurrency } from './read-heading.ts';
import { readJson, recogniseJson } from './json-feed.server.ts';
import { type SeenShape, sniffJson, sniffXml, wholeDocument } from './sniff-shape.ts';
import { textDoubts } from './text-doubts.ts';
import { readXml, refuseDeclarations } from './xml-feed.server.ts';

interface ReadFeedOptions {
  format?: FeedFormat;
  mapping?: FeedMapping;
  /** The chosen element or list of products. */
  place?: string | undefined;
  /** A mapping given by the user, which replaces the format's own. */
  file?: MappingFile | null;
  /** The chosen encoding. */
  encoding?: FeedEncoding | undefined;
  sizeLimits: FeedSizeLimits;
  /** Whether to include the unchanged rows, for a preview. */
  keepRaw?: boolean;
  /** Whether to accept a feed without titles, links and prices. */
  updatesOnly?: boolean;
}

export interface OpenFeed {
  format: FeedFormat;
  /** The feed's encoding, certain only once the first non-ASCII characters have been read. */
  readonly encoding: string;
  /** Returns notes on the whole feed, once its rows have been read. */
  notes(): string[];
  /**
   * Yields one row at a time, on demand. Throws a FeedError if the feed cannot be read any further.
   */
  rows: AsyncGenerator<FeedRow>;
  /**
   * Whether the feed only supplements products of another feed, because it has ids but neither
   * titles nor links.
   */
  isSupplement: boolean;
  /** A table's header line, if it has one. */
  header: readonly string[];
  /**
   * The elements or lists that may contain the products. The first one is used unless the user
   * chooses another.
   */
  places: readonly string[];
}

/**
 * The number of characters read to detect the format: few at first, and more if those do not
 * suffice.
 */
const headLengths = [4_096, 65_536];
const googleItems = ['item', 'entry'];

/**
 * Starts reading a feed: decompresses and decodes it, and detects the format from its first
 * characters. Throws a FeedError if it is not a feed at all, before the caller has changed
 * anything.
 */
export async function readFeed(
  source: AsyncIterable<Uint8Array>,
  options: ReadFeedOptions,
): Promise<OpenFeed> {
  const unpacked = unpackFeed(source, options.sizeLimits);
  const decoded = await decodeFeed(unpacked, options.encoding);
  const { watch, notes } = textDoubts(decoded);
  const { rows, ...feed } = await readText(decoded.text, options);
  return {
    ...feed,
    rows: watch(rows),
    notes,
    get encoding() {
      return decoded.encoding;
    },
  };
}

async function readText(
  text: AsyncGenerator<string>,
  options: ReadFeedOptions,
): Promise<Omit<OpenFeed, 'encoding' | 'notes'>> {
  const { found, head, whole } = await inspectHead(text, options.format ?? 'auto');
  const { format, shape, header = [], delimiter = '|' } = found;
  const mapping = options.file ?? formatOf(format);
  const sources = fieldSources(options.mapping, mapping.fields);
  const { keepRaw = false, updatesOnly = false } = options;
  const { places, chosen } = placesIn(found, mapping, options.place);
  const names = mapping.cells && mapping.columns;
  const named = names ? header.map((name, at) => names[at] ?? name) : header;
  const feed = { format, header: named, places };
  const plainly = (rows: OpenFeed['rows']) =>
    withCurrency(withPlainCategories(rows, mapping), mapping);
  const reading = { keepRaw, mayMiss: keepRaw || updatesOnly, format: mapping };
  if (shape === 'xml') {
    const items = chosen === undefined ? (mapping.items ?? googleItems) : [chosen];
    const rows = readXml(whole, { ...reading, sources, items });
    // Unknown elements may be titles in a language that no format lists.
    if (format !== 'google-xml') return { ...feed, isSupplement: false, rows: plainly(rows) };
    return { ...feed, ...(await findSupplement(plainly(rows))) };
  }
  if (shape === 'json') {
    const isLines = recogniseJson(head, sources) === 'ndjson';
    const rows = readJson(whole, sources, { ...reading, isLines, place: chosen });
    const mayBe = !keepRaw && !updatesOnly;
    const looked = mayBe ? await findSupplement(plainly(rows)) : { rows: plainly(rows) };
    return { ...feed, isSupplement: false, ...looked };
  }
  const isHeadless = mapping.headless !== undefined && header.length === 0;
  const columns = matchColumns(named, sources);
  const fields = new Set(columns.map(({ field }) => field));
  const rows = readDelimited(whole, sources, { ...reading, delimiter, isHeadless, names });
  return {
    ...feed,
    isSupplement: isSupplement(fields, unknownNames(named, columns)),
    rows: plainly(rows),
  };
}

/** Converts the feed's categories to the common notation. */
function withPlainCategories(
  rows: OpenFeed['rows'],
  { category: written }: MappingFile,
): OpenFeed['rows'] {
  if (!written) return rows;
  async function* plain() {
    for await (const row of rows) {
      const { category } = row.values;
      if (category !== undefined) row.values.category = plainCategory(category, written ?? {});
      yield row;
    }
  }
  return plain();
}

/** Adds the format's currency to rows that name none. */
function withCurrency(rows: OpenFeed['rows'], { currency }: MappingFile): OpenFeed['rows'] {
  if (currency === undefined) return rows;
  async function* named() {
    for await (const row of rows) {
      row.values.currency ||= currency;
      yield row;
    }
  }
  return named();
}

async function inspectHead(text: AsyncGenerator<string>, wanted: FeedFormat) {
  let from = text;
  for (const length of headLengths) {
    const { first, whole } = await peek(from, length);
    from = whole;
    const head = first.join('').slice(0, length);
    const isLast = head.length < length || length === headLengths.at(-1);
    try {
      const found = recognise(head, wanted);
      if (isLast || !isVague(found, head)) return { found, head, whole };
    } catch (error) {
      if (!isLast) continue;
      await whole.return(undefined);
      throw error;
    }
  }
  throw new Error('a feed has no head');
}

/** Whether more characters may reveal the feed's format, or the rest of its header. */
function isVague({ format, shape, seen }: Recognised, head: string): boolean {
  if (shape === 'table') return format === 'csv' || !/[\r\n]/.test(head.trim());
  return formatOf(format).marks === undefined || !seen || seen.places.length === 0;
}

/** Returns the possible locations of the products, if there are several. */
function placesIn(
  { seen, shape }: Recognised,
  { items = [] }: MappingFile,
  wanted: string | undefined,
): { places: string[]; chosen: string | undefined } {
  const places = seen?.places ?? [];
  if (shape === 'table') return { places: [], chosen: undefined };
  if (wanted !== undefined && wanted !== '') return { places, chosen: wanted };
  const known = places.find((place) => items.includes(place));
  if (shape === 'json') return { places, chosen: known ?? places[0] };
  // Elements named by the format are found at any depth.
  return { places, chosen: items.length > 0 ? undefined : places[0] };
}

interface Recognised {
  format: FeedFormat;
  shape: 'xml' | 'json' | 'table';
  delimiter?: string;
  header?: readonly string[];
  seen?: SeenShape;
}

function recognise(head: string, wanted: FeedFormat): Recognised {
  const chosen = wanted === 'auto' || !formats[wanted] ? null : wanted;
  const wantedShape = chosen && formatOf(chosen).shape;
  const start = head.trimStart();
  if (start === '') throw new FeedError('the feed is empty');
  if (start.startsWith('<')) {
    if (wantedShape !== null && wantedShape !== 'xml') {
      throw new FeedError('this looks like XML, not a table');
    }
    refuseDeclarations(start.slice(0, headLengths[0]));
    const first = sniffXml(start, sourcesOf(chosen));
    const found = chosen ?? recogniseNames(first.names, 'xml');
    // A known format's own names distinguish its products from other repeating elements.
    const seen = found === chosen || found === null ? first : sniffXml(start, sourcesOf(found));
    // Without repeating elements, the error message describes the most common format.
    return { format: found ?? (seen.places.length > 0 ? 'xml' : 'google-xml'), shape: 'xml', seen };
  }
  if (wantedShape === 'xml') throw new FeedError('this is not XML: it does not begin with <');
  const json = recogniseJson(start, fieldSources());
  if (json) {
    const first = sniffJson(start, sourcesOf(chosen));
    const known = chosen ?? recogniseNames(first.names, 'json');
    const seen = known === chosen || known === null ? first : sniffJson(start, sourcesOf(known));
    // Without any list, the document itself is validated.
    const found =
      seen.places.length > 0 || /^\[|\[\s*\{/.test(start) ? seen.places : [wholeDocument];
    const places = json === 'ndjson' ? [] : found;
    // Impact also sends its catalog as JSON, with the same names.
    const format = known ?? json;
    return { format, shape: 'json', seen: { ...seen, places } };
  }
  if (wantedShape === 'json') throw new FeedError('this is not JSON');
  const headless = recogniseHeadless(start);
  if (headless !== null && (chosen === null || chosen === headless)) {
    return { format: headless, shape: 'table' };
  }
  if (chosen === 'rakuten') return { format: chosen, shape: 'table' };
  const table = sniffHeader(head);
  if (!table) {
    throw new FeedError(
      'the format is unknown: this is neither XML nor JSON, nor a table with a header line (tab, comma, semicolon or bar between columns)',
    );
  }
  const names = new Set(table.header.map(plainFieldName));
  for (const name of table.header) names.add(withoutCurrency(name).plain);
  const known = chosen ?? recogniseNames(names, 'table');
  const byCells = known ?? recogniseCells(firstCells(head, table.delimiter));
  return { format: byCells ?? 'csv', shape: 'table', ...table };
}

function sourcesOf(format: FeedFormat | null): FieldSources {
  return fieldSources({}, format === null ? {} : formatOf(format).fields);
}
