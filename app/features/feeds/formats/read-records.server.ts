import { decodeFeed, type FeedSizeLimits, unpackFeed } from './decode-feed.server.ts';
import { sniffHeader } from './delimited-feed.server.ts';
import { type TableRecord, TableRecords } from './table-records.ts';

/** characters */
const longestHead = 16_384;

/** Reads the records of a table as a stream, regardless of its encoding, delimiter and gzip. */
export async function* readRecords(
  source: AsyncIterable<Uint8Array>,
  limits: FeedSizeLimits,
): AsyncGenerator<TableRecord[]> {
  const { text } = await decodeFeed(unpackFeed(source, limits));
  let table: TableRecords | null = null;
  let head = '';
  for await (const chunk of text) {
    if (table) yield table.write(chunk);
    else {
      head += chunk;
      if (head.length < longestHead) continue;
      table = openTable(head);
      yield table.write(head);
    }
  }
  if (!table) {
    table = openTable(head);
    yield table.write(head);
  }
  yield table.end();
  if (table.failure) throw table.failure;
}

function openTable(head: string): TableRecords {
  const delimiter = sniffHeader(head)?.delimiter ?? ',';
  return new TableRecords({ delimiter, isQuoted: true });
}
