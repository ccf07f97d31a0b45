import type { ColumnFor } from '#app/features/deals/deal-columns.ts';
import declaredFormats from './feed-formats.json' with { type: 'json' };
import fieldNames from './feed-field-names.json' with { type: 'json' };

/**
 * The names each field goes by, best first. Google's `price` is the regular price, which makes it our
 * `original_price`; a row without a sale is offered at that price (see `check-feed-row.ts`).
 */
const names = fieldNames satisfies Record<Exclude<ColumnFor<'feed'>, 'status'>, string[]>;

/** What a deal takes from a feed, in the words of our own columns; `--map` uses the same words. */
export type FeedField = keyof typeof names;
export const feedFields = Object.keys(names).filter((name): name is FeedField => name in names);
export type FeedMapping = Partial<Record<FeedField, string>>;

export type FeedFormat = keyof typeof declaredFormats;
export const feedFormats = Object.keys(declaredFormats).filter(
  (name): name is FeedFormat => name in declaredFormats,
);

/** All that sets a format apart. A new one is an entry of `feed-formats.json` and a fixture. */
interface FormatDeclaration {
  label: string;
  /** `xml`, `json` or `table`. */
  shape: string;
  /** A table is of this format when its header has all names of one of these. */
  marks?: string[][];
  /** Elements that hold a product each. */
  items?: string[];
  /** The columns by their places, where no header line names them. */
  columns?: string[];
  /**
   * Where it means something else by a name, or has a better column than the usual one: a network's tracking link
   * before the merchant's own, a product's name before the title of a book, its present price before the list price.
   */
  names?: Partial<Record<FeedField, string[]>>;
}
export const formats: Readonly<Record<FeedFormat, FormatDeclaration>> = declaredFormats;

/** One product as the feed tells it, before any judgement. `problem` means its shape is already wrong. */
export interface FeedRow {
  line: number;
  values: Partial<Record<FeedField, string>>;
  problem?: string;
  /** The row in the feed's own words, where the reader was asked to keep them. */
  raw?: Record<string, string>;
}

/** `Product Name`, `product-name`, `productName` and `g:product name` are one name. */
export function plainFieldName(name: string): string {
  return name
    .trim()
    .replace(/^g:/i, '')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '');
}

/** Which fields a name may fill, and how good a source it is (0 is the best). */
export type FieldSources = ReadonlyMap<string, { field: FeedField; rank: number }[]>;

/**
 * The names of all fields, as this format uses them. A field the operator mapped listens to that name only, and a
 * mapped name serves no other field.
 */
export function fieldSources(mapping: FeedMapping = {}, format: FeedFormat = 'csv'): FieldSources {
  const mapped = new Set(Object.values(mapping).map(plainFieldName));
  const all = feedFields.flatMap((field) => {
    const known = formats[format].names?.[field] ?? names[field];
    const candidates =
      mapping[field] === undefined
        ? known.filter((name) => !mapped.has(name))
        : [plainFieldName(mapping[field])];
    return candidates.map((name, rank) => ({ name, field, rank }));
  });
  return Map.groupBy(all, ({ name }) => name);
}

/**
 * Whose table this is, by the columns only they have. The last that fits: networks come after Google's own table, whose
 * columns some of them have too.
 */
export function recogniseHeader(header: readonly string[]): FeedFormat {
  const present = new Set(header.map(plainFieldName));
  const fits = (format: FeedFormat) =>
    formats[format].marks?.some((mark) => mark.every((name) => present.has(name)));
  return feedFormats.findLast(fits) ?? 'csv';
}
