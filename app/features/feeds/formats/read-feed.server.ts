import { decodeFeed, type FeedSizeLimits, peek, unpackFeed } from './decode-feed.server.ts';
import { readDelimited, sniffHeader } from './delimited-feed.server.ts';
import { FeedError } from './feed-error.ts';
import {
  type FeedFormat,
  type FeedMapping,
  type FeedRow,
  fieldSources,
  formats,
  recogniseHeader,
} from './feed-fields.ts';
import { readJson, recogniseJson } from './json-feed.server.ts';
import { isRakuten } from './rakuten-table.ts';
import { readXml, refuseDeclarations } from './xml-feed.server.ts';

interface ReadFeedOptions {
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
  const { first, whole } = await peek(text, headLength);
  const head = first.join('');
  const { format, shape, header = [], delimiter = '|' } = recognise(head, options.format ?? 'auto');
  const sources = fieldSources(options.mapping, format);
  const keepRaw = options.keepRaw ?? false;
  const feed = { format, encoding, header };
  if (shape === 'xml') {
    const { items = [] } = formats[format];
    return { ...feed, rows: readXml(whole, { sources, items, keepRaw }) };
  }
  if (shape === 'json') {
    const isLines = recogniseJson(head, sources) === 'ndjson';
    return { ...feed, rows: readJson(whole, sources, { isLines, keepRaw }) };
  }
  const table = { delimiter, isRakuten: format === 'rakuten', keepRaw };
  return { ...feed, rows: readDelimited(whole, sources, table) };
}

interface Recognised {
  format: FeedFormat;
  shape: 'xml' | 'json' | 'table';
  delimiter?: string;
  header?: readonly string[];
}

function recognise(head: string, wanted: FeedFormat | 'auto'): Recognised {
  const chosen = wanted === 'auto' ? null : wanted;
  const wantedShape = chosen && formats[chosen].shape;
  const start = head.trimStart();
  if (start === '') throw new FeedError('the feed is empty');
  if (start.startsWith('<')) {
    if (wantedShape !== null && wantedShape !== 'xml') {
      throw new FeedError('this looks like XML, not a table');
    }
    refuseDeclarations(start.slice(0, headLength));
    return { format: chosen ?? 'google-xml', shape: 'xml' };
  }
  if (wantedShape === 'xml') throw new FeedError('this is not XML: it does not begin with <');
  const json = recogniseJson(start, fieldSources());
  // Impact answers its catalog as JSON too, and means the same by its names.
  if (json) return { format: chosen ?? json, shape: 'json' };
  if (wantedShape === 'json') throw new FeedError('this is not JSON');
  if (chosen === 'rakuten' || (chosen === null && isRakuten(start))) {
    return { format: 'rakuten', shape: 'table' };
  }
  const table = sniffHeader(head);
  if (!table) {
    throw new FeedError(
      'the format is unknown: this is neither XML nor JSON, nor a table with a header line (tab, comma, semicolon or bar between columns)',
    );
  }
  return { format: chosen ?? recogniseHeader(table.header), shape: 'table', ...table };
}
