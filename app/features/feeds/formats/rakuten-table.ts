import { FeedError } from './feed-error.ts';

/** The columns of Rakuten's product catalog by their places; the file names none of them. */
const columns = (
  'product_id product_name sku primary_category secondary_category product_url image_url buy_url ' +
  'short_description long_description discount discount_type sale_price retail_price begin_date end_date ' +
  'brand shipping keywords part_number manufacturer shipping_information availability upc class_id currency ' +
  'm1 pixel attribute_1 attribute_2 attribute_3 attribute_4 attribute_5 attribute_6 attribute_7 attribute_8 ' +
  'attribute_9 modification'
).split(' ');
const [primary, secondary] = [3, 4];
/** Product and picture, and what lies between: fewer cells are no product record. */
const fewest = 28;

export interface RakutenTable {
  header: readonly string[];
  /** Null for the first and the last line of the file. */
  read(cells: readonly string[]): { cells: string[]; problem?: string } | null;
  /** Throws when the file began with its own first line and did not come to its last. */
  end(): void;
}

/** `HDR|…`, then records without a header line, then `TRL|` and their number. */
export function rakutenTable(): RakutenTable {
  let hasHeader = false;
  let promised: number | null = null;
  let records = 0;
  return {
    header: [...columns, 'category_path'],
    read(cells) {
      if (cells[0] === 'HDR' && records === 0) {
        hasHeader = true;
        return null;
      }
      if (cells[0] === 'TRL') {
        promised = Number(cells[1]);
        return null;
      }
      records++;
      const padded = columns.map((_, index) => cells[index] ?? '');
      const path = [padded[primary], padded[secondary]].filter(Boolean).join('~~');
      const record = { cells: [...padded, path] };
      if (cells.length < fewest || cells.length > columns.length) {
        return {
          ...record,
          problem: `the record has ${cells.length} fields, not ${columns.length}`,
        };
      }
      if (padded.at(-1) === 'D') {
        return { ...record, problem: 'deleted, says this delta file; import the full file' };
      }
      return record;
    },
    end() {
      if (hasHeader && promised === null) {
        throw new FeedError('the feed is cut off: its last line, TRL, is missing');
      }
      if (promised !== null && promised !== records) {
        throw new FeedError(
          `the feed is cut off: it promises ${promised} products and has ${records}`,
        );
      }
    },
  };
}

/** True for the first characters of such a file, with or without its `HDR` line. */
export function isRakuten(head: string): boolean {
  if (/^HDR\|\d+\|/.test(head)) return true;
  const cells = (head.split(/\r?\n/, 1)[0] ?? '').split('|');
  return cells.length >= fewest && /^https?:\/\//i.test(cells[5] ?? '');
}
