import type { FeedSizeLimits } from '#app/features/feeds/formats/decode-feed.server.ts';
import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import { readRecords } from '#app/features/feeds/formats/read-records.server.ts';
import type { TableRecord } from '#app/features/feeds/formats/table-records.ts';
import { cleanCell } from '#app/platform/clean-cell.ts';
import { findPriceColumns, type PriceColumnChoices, type PriceColumns } from './price-columns.ts';

/** The cells of a row as written in the file. */
export type PriceCells = Record<keyof PriceColumns, string> & { line: number };

const mostRows = 1_000_000;
/** lines allowed above the header, such as a title */
const mostHeadLines = 5;

/** Reads a price file as a stream. Throws a `FeedError` if a required column is missing. */
export async function* readPrices(
  source: AsyncIterable<Uint8Array>,
  { limits, choices }: { limits: FeedSizeLimits; choices: PriceColumnChoices },
): AsyncGenerator<PriceCells[]> {
  const reader = rowReader(choices);
  for await (const records of readRecords(source, limits)) yield reader.read(records);
  reader.end();
}

function rowReader(choices: PriceColumnChoices) {
  let columns: PriceColumns | null = null;
  let first: { header: string[]; missing: string[] } | null = null;
  let lines = 0;
  let rows = 0;
  const refuse = (): never => {
    if (!first) throw new FeedError('the file is empty');
    const list = first.header.slice(0, 20).map((name) => `“${name.slice(0, 40)}”`);
    throw new FeedError(
      `no column of ${first.missing.join(' and ')} was found; name it below. The first line has ${list.join(', ')}`,
    );
  };
  return {
    read(records: TableRecord[]): PriceCells[] {
      const read: PriceCells[] = [];
      for (const { cells, line } of records) {
        if (!columns) {
          const found = findPriceColumns(cells, choices);
          if (found.ok) columns = found.columns;
          else first ??= { header: cells, missing: found.missing };
          if (!columns && ++lines >= mostHeadLines) refuse();
          continue;
        }
        if (++rows > mostRows) throw new FeedError('the file has more than a million rows');
        const cell = (role: keyof PriceColumns) => cleanCell(cells[columns?.[role] ?? -1] ?? '');
        read.push({
          line,
          deal: cell('deal'),
          sku: cell('sku'),
          link: cell('link'),
          gtin: cell('gtin'),
          store: cell('store'),
          date: cell('date'),
          price: cell('price'),
          currency: cell('currency'),
          source: cell('source'),
        });
      }
      return read;
    },
    end() {
      if (!columns) refuse();
    },
  };
}
