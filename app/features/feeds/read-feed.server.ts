import { decodeFeed, type FeedSizeLimits, unpackFeed } from './decode-feed.server.ts';
import { readDelimited, sniffHeader } from './delimited-feed.server.ts';
import { FeedError } from './feed-error.ts';
import { type FeedMapping, type FeedRow, fieldSources, isGoogleHeader } from './feed-fields.ts';
import { readGoogleXml, refuseDeclarations } from './google-xml-feed.server.ts';

export const feedFormats = ['google-xml', 'google-tsv', 'csv'] as const;
export type FeedFormat = (typeof feedFormats)[number];

export interface ReadFeedOptions {
  format?: FeedFormat | 'auto';
  mapping?: FeedMapping;
  sizeLimits: FeedSizeLimits;
}

export interface OpenFeed {
  format: FeedFormat;
  encoding: string;
  /** One at a time, as they are asked for; throws a FeedError where the feed cannot be read on. */
  rows: AsyncGenerator<FeedRow>;
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
  const { format, delimiter } = recogniseFormat(head, options.format ?? 'auto');
  const sources = fieldSources(options.mapping);
  const rows =
    format === 'google-xml'
      ? readGoogleXml(whole(), sources)
      : readDelimited(whole(), sources, delimiter);
  return { format, encoding, rows };
}

function recogniseFormat(
  head: string,
  wanted: FeedFormat | 'auto',
): { format: FeedFormat; delimiter: string } {
  const start = head.trimStart();
  if (start === '') throw new FeedError('the feed is empty');
  if (start.startsWith('<') && wanted !== 'csv' && wanted !== 'google-tsv') {
    refuseDeclarations(start.slice(0, headLength));
    return { format: 'google-xml', delimiter: '' };
  }
  if (wanted === 'google-xml') throw new FeedError('the feed is no XML: it does not begin with <');
  if (start.startsWith('{') || start.startsWith('[{')) {
    throw new FeedError('this looks like JSON; Google product XML, TSV and CSV are read');
  }
  if (start.startsWith('<')) throw new FeedError('this looks like XML, not like a table');
  const table = sniffHeader(head);
  if (!table) {
    throw new FeedError(
      'the format is unknown: neither XML nor a table with a header line (tab, comma, semicolon or bar between columns)',
    );
  }
  if (wanted !== 'auto') return { format: wanted, delimiter: table.delimiter };
  return {
    format: isGoogleHeader(table.header) ? 'google-tsv' : 'csv',
    delimiter: table.delimiter,
  };
}
