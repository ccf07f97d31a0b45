import type { FeedSizeLimits } from '../formats/decode-feed.server.ts';
import type { FeedEncoding } from '../formats/feed-encodings.ts';
import { FeedError } from '../formats/feed-error.ts';
import { readCategoryPath } from '../formats/feed-category.ts';
import {
  type FeedField,
  type FeedFormat,
  type FeedMapping,
  fieldSources,
  plainFieldName,
} from '../formats/feed-fields.ts';
import { formatOf, type MappingFile } from '../formats/feed-formats.server.ts';
import { matchColumns } from '../formats/find-columns.ts';
import { openParts } from './open-feed.server.ts';
import { type OpenFeed, readFeed } from '../formats/read-feed.server.ts';

export interface FeedPreview {
  format: FeedFormat;
  label: string;
  /** A value that is equal for feeds of the same shape. */
  head: string;
  /** The elements that may be products, if there are several. The first is the default. */
  places: readonly string[];
  encoding: string;
  columns: string[];
  /** The unchanged first rows, by column. */
  rows: Record<string, string>[];
  /** The column of each field that was found or chosen. */
  chosen: Partial<Record<FeedField, string>>;
  /** The feed's own categories in the rows read, such as `A > B`, the most frequent first. */
  categories: { name: string; rows: number }[];
}

export type PreviewResult = { ok: true; preview: FeedPreview } | { ok: false; reason: string };

const shownRows = 5;
const rowsInspected = 2_000;
const mostCategories = 60;

/** Reads the beginning of a feed for the user who maps its columns. */
export async function previewFeed(
  file: string,
  options: {
    format: FeedFormat;
    mapping: FeedMapping;
    place?: string | undefined;
    file?: MappingFile | null;
    encoding?: FeedEncoding;
    sizeLimits: FeedSizeLimits;
  },
): Promise<PreviewResult> {
  try {
    const opened = await openParts({ file }, options.sizeLimits);
    try {
      // The files of an archive usually have the same shape.
      const [first] = opened.parts;
      if (!first) throw new Error('a feed has no parts');
      const { sizeLimits } = first;
      const feed = await readFeed(first.chunks(), { ...options, sizeLimits, keepRaw: true });
      return {
        ok: true,
        preview: await inspectRows(feed, options.mapping, options.file ?? formatOf(feed.format)),
      };
    } finally {
      opened.close();
    }
  } catch (error) {
    if (error instanceof FeedError) return { ok: false, reason: error.message };
    throw error;
  }
}

async function inspectRows(
  feed: OpenFeed,
  mapping: FeedMapping,
  known: MappingFile,
): Promise<FeedPreview> {
  const columns = new Set(feed.header.map((name) => name.trim()).filter(Boolean));
  const rows: Record<string, string>[] = [];
  const categories = new Map<string, number>();
  let rowsRead = 0;
  for await (const { raw = {}, values } of feed.rows) {
    if (rowsRead < shownRows) {
      rows.push(raw);
      for (const name of Object.keys(raw)) columns.add(name);
    }
    const name = readCategoryPath(values.category ?? '').join(' > ');
    if (name !== '') categories.set(name, (categories.get(name) ?? 0) + 1);
    if (++rowsRead >= rowsInspected) break;
  }
  const names = [...columns];
  const chosen: FeedPreview['chosen'] = {};
  for (const column of matchColumns(names, fieldSources(mapping, known.fields))) {
    chosen[column.field] ??= column.template?.text ?? names[column.index];
  }
  const head = feed.header.length > 0 ? feed.header.map(plainFieldName) : feed.places.slice(0, 1);
  return {
    format: feed.format,
    label: known.label,
    head: [feed.format, ...head].join('\n').slice(0, 10_000),
    places: feed.places,
    encoding: feed.encoding,
    columns: names,
    rows,
    chosen,
    categories: [...categories]
      .map(([name, count]) => ({ name, rows: count }))
      .sort((a, b) => b.rows - a.rows)
      .slice(0, mostCategories),
  };
}
