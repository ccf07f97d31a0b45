import type { FeedSizeLimits } from '#app/features/feeds/formats/decode-feed.server.ts';
import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import { readRecords } from '#app/features/feeds/formats/read-records.server.ts';
import type { TableRecord } from '#app/features/feeds/formats/table-records.ts';
import { readMailAddress } from '#app/platform/mail/mail-address.server.ts';
import {
  type ColumnChoices,
  findSubscriberColumns,
  readSubscriberCells,
  type SubscriberColumns,
  type SubscriberState,
} from './subscriber-columns.ts';

/** A row of a subscriber list. */
export interface SubscriberRow {
  line: number;
  /** The address in lower case, or the text of its cell if the problem is `invalid`. */
  email: string;
  state: SubscriberState;
  consentAt: Date | null;
  leftAt: Date | null;
  problem: 'invalid' | 'bad-status' | null;
}

const mostRows = 5_000_000;
/** lines allowed above the header, such as a title */
const mostHeadLines = 5;
/** characters shown of a cell that is not an address */
const longestShown = 100;

/**
 * Reads a list as a stream, in batches, regardless of its encoding and delimiter. Throws a
 * `FeedError` if no column has addresses.
 */
export async function* readSubscribers(
  source: AsyncIterable<Uint8Array>,
  { limits, choices, now }: { limits: FeedSizeLimits; choices: ColumnChoices; now: Date },
): AsyncGenerator<SubscriberRow[]> {
  const reader = rowReader(choices, now);
  for await (const records of readRecords(source, limits)) yield reader.read(records);
  reader.end();
}

function rowReader(choices: ColumnChoices, now: Date) {
  let columns: SubscriberColumns | null = null;
  let seen: string[] | null = null;
  let lines = 0;
  let width = 0;
  let rows = 0;
  const refuse = (): never => {
    if (!seen) throw new FeedError('the file is empty');
    const list = seen.slice(0, 20).map((name) => `“${name.slice(0, 40)}”`);
    throw new FeedError(
      `no column of email addresses was found; name it below. The first line has ${list.join(', ')}`,
    );
  };
  return {
    read(records: TableRecord[]): SubscriberRow[] {
      const read: SubscriberRow[] = [];
      for (const { cells, line, doubt } of records) {
        if (!columns) {
          seen ??= cells;
          columns = findSubscriberColumns(cells, choices);
          width = cells.length;
          if (!columns && ++lines >= mostHeadLines) refuse();
          continue;
        }
        // An unescaped quotation mark shifts the later cells into other columns.
        const isMoved = cells.slice(width).some((cell) => cell.trim() !== '');
        if (++rows > mostRows) throw new FeedError('the file has more than 5 million rows');
        const found = readSubscriberCells(cells, columns, now);
        const address = doubt === 'too large' ? null : readMailAddress(found.email);
        const { consentAt, leftAt } = found;
        read.push({
          line,
          email: address?.toLowerCase() ?? clean(found.email),
          state: isMoved ? 'unknown' : found.state,
          consentAt,
          leftAt,
          problem:
            address === null ? 'invalid' : found.isBadStatus || isMoved ? 'bad-status' : null,
        });
      }
      return read;
    },
    end() {
      if (!columns) refuse();
    },
  };
}

function clean(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ')
    .slice(0, longestShown)
    .toWellFormed();
}
