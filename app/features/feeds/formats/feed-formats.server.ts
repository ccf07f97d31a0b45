import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { findFolder } from '#database/find-folder.ts';
import { feedFields, type FeedFormat } from './feed-fields.ts';

const words = z.array(z.string().min(1).max(200)).max(200);

/** A mapping as a file: all that sets a format apart. */
export const mappingFile = z.strictObject({
  label: z.string().min(1).max(100),
  /** Where its names are documented. */
  documented: z.url().optional(),
  shape: z.enum(['xml', 'json', 'table']),
  /** A feed is of this format when its head has all names of one of these; the longest that fits wins. */
  marks: z.array(words.min(1)).max(50).optional(),
  /** The element, or the path to the list, that holds a product each: `item`, `shop/offers/offer`, `data/products`. */
  items: words.max(20).optional(),
  /** A list inside a product of which each entry is a row, with the product's own values beside its own. */
  each: z.string().max(200).optional(),
  /** The column that says how many digits of a price stand behind its point, where none is written. */
  minor_units: z.string().optional(),
  /** Rows with the same value in `by` take from the first of them what they leave blank in `columns`. */
  inherits: z.strictObject({ by: z.string(), columns: words }).optional(),
  /** Rows that are no product: those that have one of these values in a column. */
  skips: z.record(z.string(), z.array(z.string())).optional(),
  /** Elements that name the categories whose numbers products carry: `key` and `parent` are attributes. */
  categories: z.strictObject({ item: z.string(), key: z.string(), parent: z.string() }).optional(),
  /** How it writes categories, where otherwise than `A > B`: what stands between the parts of a path and between paths. */
  category: z
    .strictObject({
      path: z.string().optional(),
      list: z.string().optional(),
      /** Roots that say nothing. */
      drops: words.optional(),
    })
    .optional(),
  /** The columns by their places, where no header line names them. */
  columns: words.optional(),
  /** A header in whatever language: known by what stands at these places of the first row, named by `columns`. */
  cells: z.record(z.string().regex(/^\d+$/), z.array(z.string())).optional(),
  /** What a line without a header is known by: so many cells, and addresses at these places. */
  headless: z
    .strictObject({ least: z.number().int(), links: z.array(z.number().int()) })
    .optional(),
  /**
   * Where it means something else by a name, or has a better column than the usual one: a network's tracking link
   * before the merchant's own, a product's name before the title of a book, its present price before the list price.
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
      if (!read.success) throw new Error(`${file} is no mapping: ${z.prettifyError(read.error)}`);
      return [file.slice(0, -'.json'.length), read.data];
    }),
  );
}

/** The files of `mappings/` by their names. A new format is a new file. */
export const formats: Readonly<Record<FeedFormat, MappingFile>> = readFormats();
export const feedFormats: readonly FeedFormat[] = Object.keys(formats);

/** What is read of a format whose file is gone, or that nobody chose. */
export function formatOf(format: FeedFormat): MappingFile {
  return formats[format] ?? { label: format, shape: 'table' };
}

export function formatLabel(format: FeedFormat): string {
  return format === 'auto' ? 'Detect automatically' : formatOf(format).label;
}

/** The choices of a form. */
export function formatChoices(): { value: string; label: string }[] {
  const known = feedFormats.map((value) => ({ value, label: formatOf(value).label }));
  return [
    { value: 'auto', label: formatLabel('auto') },
    ...known.toSorted((a, b) => a.label.localeCompare(b.label, 'en')),
  ];
}

/** Whose table this is by the cells of its first row, where nobody knows the language of its header; null when nobody's. */
export function recogniseCells(cells: readonly string[]): FeedFormat | null {
  const fits = ({ cells: known }: MappingFile) =>
    known !== undefined &&
    Object.entries(known).every(([at, expected]) =>
      expected.includes((cells[Number(at)] ?? '').trim().toLowerCase()),
    );
  return Object.keys(formats).find((format) => fits(formatOf(format))) ?? null;
}

/** Whose feed this is, by names that only they have; null when by none. */
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
