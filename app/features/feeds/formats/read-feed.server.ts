import { decodeFeed, type FeedSizeLimits, unpackFeed } from './decode-feed.server.ts';
import { readDelimited, sniffHeader, type TableShape } from './delimited-feed.server.ts';
import { FeedError } from './feed-error.ts';
import {
  type FeedFormat,
  type FeedMapping,
  type FeedRow,
  fieldSources,
  recogniseHeader,
} from './feed-fields.ts';
import { readGoogleXml, refuseDeclarations } from './google-xml-feed.server.ts';
import { readJson, recogniseJson } from './json-feed.server.ts';
import { isRakuten } from './rakuten-table.ts';

export interface ReadFeedOptions {
  format?: FeedFormat | 'auto';
  mapping?: FeedMapping;
  sizeLimits: FeedSizeLimits;
  /** Rows bear their own words too, for a person to look at. */
  keepRaw?: boolean;
}

export interface OpenFeed {
  format: FeedFormat;
  encoding: string;
  /** One at a time, as they are asked for; throws a FeedError where the feed cannot be read on. */
  rows: AsyncGenerator<FeedRow>;
  /** What a table's header line says, when it has one. */
  header: readonly string[];
}

interface Recognised {
  format: FeedFormat;
  table: TableShape | null;
  header: readonly string[];
}

const headLength = 4_096;

/**
 * Begins to read a feed: unpacks, decodes and looks at its first characters for the format. Throws a FeedError for
 * what is no feed at all, before the caller has done anything.
 */
export async function readFeed(
  source: AsyncIterable<Uint8Array>,
  options: ReadFeedOptions,
): Promise<OpenFeed> {
  const { encoding, text } = await decodeFeed(unpackFeed(source, options.sizeLimits));
  let head = '';
  while (head.length < headLength) {
    const next = await text.next();
    if (next.done) break;
    head += next.value;
  }
  head = head.replace(/^\uFEFF/, '');
  async function* whole(): AsyncGenerator<string> {
    yield head;
    yield* text;
  }
  const { format, table, header } = recogniseFormat(head, options.format ?? 'auto');
  const sources = fieldSources(options.mapping, format);
  const keepRaw = options.keepRaw ?? false;
  const open = (rows: AsyncGenerator<FeedRow>) => ({ format, encoding, rows, header });
  if (format === 'google-xml') return open(readGoogleXml(whole(), sources, keepRaw));
  if (table) return open(readDelimited(whole(), sources, { ...table, keepRaw }));
  const isLines = recogniseJson(head, sources) === 'ndjson';
  return open(readJson(whole(), sources, { isLines, keepRaw }));
}

function recogniseFormat(head: string, wanted: FeedFormat | 'auto'): Recognised {
  const start = head.trimStart();
  if (start === '') throw new FeedError('the feed is empty');
  if (start.startsWith('<')) {
    if (wanted !== 'auto' && wanted !== 'google-xml') {
      throw new FeedError('this looks like XML, not like a table');
    }
    refuseDeclarations(start.slice(0, headLength));
    return { format: 'google-xml', table: null, header: [] };
  }
  if (wanted === 'google-xml') throw new FeedError('the feed is no XML: it does not begin with <');
  const json = recogniseJson(start, fieldSources());
  if (json) {
    // Impact answers its catalog as JSON too, and means the same by its names.
    return { format: wanted === 'auto' ? json : wanted, table: null, header: [] };
  }
  if (wanted === 'json' || wanted === 'ndjson') throw new FeedError('the feed is no JSON');
  if (wanted === 'rakuten' || (wanted === 'auto' && isRakuten(start))) {
    return { format: 'rakuten', table: { delimiter: '|', isRakuten: true }, header: [] };
  }
  const table = sniffHeader(head);
  if (!table) {
    throw new FeedError(
      'the format is unknown: neither XML, JSON nor a table with a header line (tab, comma, semicolon or bar between columns)',
    );
  }
  const format = wanted === 'auto' ? recogniseHeader(table.header) : wanted;
  return { format, table: { delimiter: table.delimiter }, header: table.header };
}
