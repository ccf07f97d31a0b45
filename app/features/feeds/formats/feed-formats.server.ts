import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { findFolder } from '#database/find-folder.ts';
import { feedFields, type FeedFormat } from './feed-fields.ts';

const words = z.array(z.string().min(1).max(200)).max(200);

/** A mapping file: everything that defines a format. */
export const mappingFile = z.strictObject({
  label: z.string().min(1).max(100),
  /** The URL that documents its names. */
  documented: z.url().optional(),
  shape: z.enum(['xml', 'json', 'table']),
  /**
   * The names by which the format is detected. A feed has this format if its beginning contains all
   * names of one entry. The longest match wins.
   */
  marks: z.array(words.min(1)).max(50).optional(),
  /**
   * The element of each product, or the path to the list of products: `item`, `shop/offers/offer`,
   * `data/products`.
   */
  items: words.max(20).optional(),
  /** A list inside a product. Each entry becomes a row, together with the product's own values. */
  each: z.string().max(200).optional(),
  /**
   * Set if prices are in minor units: the column with the number of decimals, or `true` for the
   * currency's usual one.
   */
  minor_units: z.union([z.string(), z.literal(true)]).optional(),
  /**
   * Set if prices must be divided: by a number, such as a million, or by the value of this column.
   */
  divisor: z.union([z.string(), z.number().int().min(2)]).optional(),
  /** The currency of prices that name none, for a format used in only one country. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  /**
   * Lists inside a product, keyed by path. If `where` is set, the matching entry comes first. If
   * `by` is set, that value names each entry.
   */
  lists: z
    .record(
      z.string(),
      z.strictObject({
        where: z.record(z.string(), z.array(z.string()).min(1)).optional(),
        by: z.string().optional(),
      }),
    )
    .optional(),
  /**
   * Records that extend an earlier record: their `by` refers to its `key`. Their own values are
   * named `as`. A record is a product if it `has` one of these columns.
   */
  parent: z
    .strictObject({ by: z.string(), key: z.string(), as: z.string(), has: words.min(1) })
    .optional(),
  /** Rows with the same value in `by` inherit blank `columns` from the first such row. */
  inherits: z.strictObject({ by: z.string(), columns: words }).optional(),
  /** Rows that are not products, since a column has one of these values. */
  skips: z.record(z.string(), z.array(z.string())).optional(),
  /**
   * Elements that name the categories to which products refer by number: `key` and `parent` are
   * attributes or, like `name`, elements inside.
   */
  categories: z
    .strictObject({
      item: z.string(),
      key: z.string(),
      parent: z.string(),
      name: z.string().optional(),
    })
    .optional(),
  /** The feed's category notation, if not `A > B`: the separators within and between paths. */
  category: z
    .strictObject({
      path: z.string().optional(),
      list: z.string().optional(),
      /** Root categories to ignore. */
      drops: words.optional(),
    })
    .optional(),
  /** Columns by position, for a table without a header. */
  columns: words.optional(),
  /**
   * Detects a header in any language by the cells at these positions of the first row. `columns`
   * then names the columns.
   */
  cells: z.record(z.string().regex(/^\d+$/), z.array(z.string())).optional(),
  /** Recognizes a table without a header by its number of cells and by URLs at these positions. */
  headless: z
    .strictObject({ least: z.number().int(), links: z.array(z.number().int()) })
    .optional(),
  /**
   * Names with a special meaning in this format, or columns to prefer: a network's tracking link
   * over the merchant's own, a product's name over a book's title, the current price over the list
   * price.
   */
  fields: z.partialRecord(z.enum(feedFields), words).optional(),
});

export type MappingFile = z.output<typeof mappingFile>;

function readFormats(): Record<FeedFormat, MappingFile> {
  const folder = findFolder(path.join('app', 'features', 'feeds', 'formats', 'mappings'));
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return Object.fromEntries(
    files.sort().map((file) => {
      const read = mappingFile.safeParse(JSON.parse(readFileSync(path.join(folder, file), 'utf8')));
      if (!read.success)
        throw new Error(`${file} is not a mapping file: ${z.prettifyError(read.error)}`);
      return [file.slice(0, -'.json'.length), read.data];
    }),
  );
}

/** The files in `mappings/` by name. To add a format, add a file. */
export const formats: Readonly<Record<FeedFormat, MappingFile>> = readFormats();
export const feedFormats: readonly FeedFormat[] = Object.keys(formats);

/**
 * Returns the definition of a format, or the default one if its file is gone or none was chosen.
 */
export function formatOf(format: FeedFormat): MappingFile {
  return formats[format] ?? { label: format, shape: 'table' };
}

export function formatLabel(format: FeedFormat): string {
  return format === 'auto' ? 'Detect automatically' : formatOf(format).label;
}

/** Returns the options of the select in forms. */
export function formatChoices(): { value: string; label: string }[] {
  const known = feedFormats.map((value) => ({ value, label: formatOf(value).label }));
  return [
    { value: 'auto', label: formatLabel('auto') },
    ...known.toSorted((a, b) => a.label.localeCompare(b.label, 'en')),
  ];
}

/**
 * Detects a table's format by the cells of its first row, for headers in any language. Returns
 * `null` if unknown.
 */
export function recogniseCells(cells: readonly string[]): FeedFormat | null {
  const fits = ({ cells: known }: MappingFile) =>
    known !== undefined &&
    Object.entries(known).every(([at, expected]) =>
      expected.includes((cells[Number(at)] ?? '').trim().toLowerCase()),
    );
  return Object.keys(formats).find((format) => fits(formatOf(format))) ?? null;
}

/** Detects a feed's format by names that only this format has. Returns `null` if unknown. */
export function recogniseNames(
  present: ReadonlySet<string>,
  shape: MappingFile['shape'],
): FeedFormat | null {
  let best: { format: FeedFormat; names: number } | null = null;
  for (const [format, { marks = [], shape: own }] of Object.entries(formats)) {
    if (own !== shape) continue;
    for (const mark of marks) {
      if (mark.length <= (best?.names ?? 0) || !mark.every((name) => present.has(name))) continue;
      best = { format, names: mark.length };
    }
  }
  return best?.format ?? null;
}
