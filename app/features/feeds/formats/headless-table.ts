import { FeedError } from './feed-error.ts';
import type { FeedFormat } from './feed-fields.ts';
import { formats, type MappingFile } from './feed-formats.server.ts';

/**
 * A table without column names, whose columns are known by position. Rakuten's begins with a line
 * `HDR|…` and ends with `TRL|` and the number of products.
 */
export function headlessTable({ columns = [], headless }: MappingFile) {
  const fewest = headless?.least ?? columns.length;
  let hasHeader = false;
  let promised: number | null = null;
  let records = 0;
  return {
    header: columns,
    /** Returns `null` for the first and the last line of the file. */
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
      const record = { cells: columns.map((_, index) => cells[index] ?? '') };
      if (cells.length < fewest || cells.length > columns.length) {
        const problem = `the record has ${cells.length} fields, not ${columns.length}`;
        return { ...record, problem };
      }
      // The description is the last field of the record, regardless of the number of attributes
      // before it.
      if (columns.at(-1) !== 'modification' || cells.at(-1) !== 'D') return record;
      return { ...record, problem: 'this delta file deletes it; import the full file instead' };
    },
    /** Throws if the file has its first line but not its last. */
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

/** Detects a table without a header by its first characters, with or without a line `HDR`. */
export function recogniseHeadless(head: string): FeedFormat | null {
  if (/^HDR\|\d+\|/.test(head)) return 'rakuten';
  const cells = (head.split(/\r?\n/, 1)[0] ?? '').split('|');
  let best: { format: FeedFormat; links: number } | null = null;
  for (const [format, { headless, columns = [] }] of Object.entries(formats)) {
    const { least = Infinity, links = [] } = headless ?? {};
    if (cells.length < least || cells.length > columns.length + 2) continue;
    if (!links.every((at) => /^https?:\/\//i.test(cells[at] ?? ''))) continue;
    if (links.length > (best?.links ?? 0)) best = { format, links: links.length };
  }
  return best?.format ?? null;
}
