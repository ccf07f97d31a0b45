import { FeedError } from './feed-error.ts';
import { formats } from './feed-fields.ts';

/** The file names none of its columns: they are known by their places. */
const columns = formats.rakuten.columns ?? [];
const [primary, secondary] = [3, 4];
/** Product and picture, and what lies between: fewer cells are no product record. */
const fewest = 28;

/** `HDR|…`, then records without a header line, then `TRL|` and their number. */
export function rakutenTable() {
  let hasHeader = false;
  let promised: number | null = null;
  let records = 0;
  return {
    header: [...columns, 'category_path'],
    /** Null for the first and the last line of the file. */
    read(cells: readonly string[]): { cells: string[]; problem?: string } | null {
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
        const problem = `the record has ${cells.length} fields, not ${columns.length}`;
        return { ...record, problem };
      }
      if (padded.at(-1) !== 'D') return record;
      return { ...record, problem: 'this delta file deletes it; import the full file instead' };
    },
    /** Throws when the file began with its own first line and did not come to its last. */
    end(): void {
      if (hasHeader && promised === null) {
        throw new FeedError('the feed is cut off: its last line, TRL, is missing');
      }
      if (promised !== null && promised !== records) {
        throw new FeedError(
          `the feed is cut off: it promises ${promised} products but has ${records}`,
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
