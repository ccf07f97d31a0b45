import { isBlankPrice, isPlaceholder } from './blank-cells.ts';
import { FeedError } from './feed-error.ts';
import { isSupplement } from './find-supplement.ts';
import { isAnyPlainPrice, type PriceSide, sideOf, sourcesFor, useOldPrice } from './price-names.ts';
import { readHeading } from './read-heading.ts';
import {
  cutCell,
  type FeedField,
  type FeedRow,
  type FieldSources,
  isPriceField,
  placesOf,
  plainFieldName,
} from './feed-fields.ts';

interface FeedColumn {
  index: number;
  field: FeedField;
  rank: number;
  isChosen?: boolean;
  isOwn?: boolean;
  side?: PriceSide;
  /** A template of several columns: its text, and the columns' indexes (-1 for the shop's URL). */
  template?: { text: string; places: [name: string, index: number][] };
  /** The currency of the column's prices, if its heading names one: `Price (EUR)`. */
  currency?: string;
}

/** The columns of a table, or the keys of a record, with the fields that they fill, best first. */
export interface FeedHeader {
  names: readonly string[];
  columns: FeedColumn[];
}

const required: FeedField[] = ['external_id', 'title', 'deal_url'];

/**
 * Finds which columns fill which fields. Throws a FeedError that lists the columns if a required
 * one is missing. Does not throw if the user will choose columns, or if only a record lacks the
 * column. A feed without ids distinguishes products by their links.
 */
export function findColumns(
  names: readonly string[],
  sources: FieldSources,
  mayMiss: boolean,
): FeedHeader {
  const columns = matchColumns(names, sources);
  const found = new Set(columns.map((column) => column.field));
  const missing: string[] = required.filter((field) => !found.has(field));
  if (!found.has('sale_price') && !found.has('original_price')) missing.push('sale_price');
  const isComplete = mayMiss || isSupplement(found, unknownNames(names, columns));
  if (!isComplete && missing.some((field) => field !== 'external_id')) {
    const all = names.map((name) => name.trim().slice(0, 60)).join(', ');
    throw new FeedError(
      `no column was found for ${missing.join(', ')}; name it with --map ${missing[0]}=COLUMN. ` +
        `The columns are: ${all.slice(0, 1_000)}`,
    );
  }
  return { names, columns };
}

/** Returns the normalized names of columns that fill no field. */
export function unknownNames(names: readonly string[], columns: readonly FeedColumn[]): string[] {
  const known = new Set(columns.map(({ index }) => index));
  return names.filter((_, index) => !known.has(index)).map(plainFieldName);
}

export function matchColumns(names: readonly string[], sources: FieldSources): FeedColumn[] {
  const headings = names.map((name) => readHeading(name, sources));
  const plain = headings.map((heading) => heading.plain);
  const columns: FeedColumn[] = headings.flatMap(({ plain: name, currency }, index) =>
    sourcesFor(sources, name).map((source) => ({
      index,
      ...source,
      ...(currency && { currency }),
    })),
  );
  for (const [text, fills] of sources) {
    if (!text.includes('{')) continue;
    const places = placesOf(text).map((name): [string, number] => [name, plain.indexOf(name)]);
    if (places.some(([name, index]) => index === -1 && name !== 'shop')) continue;
    columns.push(...fills.map((source) => ({ index: -1, ...source, template: { text, places } })));
  }
  columns.sort((a, b) => a.rank - b.rank);
  // Next to a "list price" and without a "sale price", a column called "price" is the current
  // price.
  const regular = columns.filter(({ field }) => field === 'original_price');
  const isPlain = ({ index }: FeedColumn) => isAnyPlainPrice(plain[index] ?? '');
  const hasSale = columns.some(({ field }) => field === 'sale_price');
  for (const column of regular) {
    if (column.isChosen) continue;
    const side = sideOf(plain[column.index] ?? '');
    // A mapping file may call a current price "list price".
    if (side !== 'old' || !column.isOwn) column.side = side;
  }
  if (hasSale || regular.every(isPlain)) return columns;
  for (const price of regular.filter(isPlain)) price.field = 'sale_price';
  const hasCurrent = columns.some(({ field, side }) => isPriceField(field) && side !== 'oldOnly');
  return hasCurrent ? columns : columns.filter(({ field }) => !isPriceField(field));
}

/** Whether a value is meaningful: `0` is not an old price, and `166` is not a category name. */
export function hasContent(field: FeedField, text: string): boolean {
  if (text === '' || (text.length === 4 && text.toLowerCase() === 'null')) return false;
  if (isPlaceholder(field, text)) return false;
  if (isPriceField(field)) return !isBlankPrice(text) && (/[1-9]/.test(text) || !/0/.test(text));
  if (field === 'category') return !/^[\d\s>|,;/-]+$/.test(text);
  if (field === 'image_url') return /[./]/.test(text);
  if (field === 'gtin') return /\d{8}/.test(text.replace(/[\s-]/g, ''));
  return true;
}

export function readCells(
  cells: readonly string[],
  columns: readonly FeedColumn[],
): FeedRow['values'] {
  const values: FeedRow['values'] = {};
  let unsaid: FeedRow['values'] | null = null;
  let current: string | undefined;
  let older: { text: string; side: PriceSide } | null = null;
  for (const { index, field, template, currency, side } of columns) {
    const isOld = side === 'old' || side === 'oldOnly';
    if (isOld ? older !== null : values[field] !== undefined) continue;
    const cell = template ? fill(template, cells) : (cells[index]?.trim() ?? '');
    const text = cutCell(field, currency ? withCurrency(field, cell, currency) : cell);
    if (hasContent(field, text)) {
      if (isOld) older = { text, side };
      else if (side === 'plain') current = text;
      values[field] ??= text;
    } else if (text.length > 0 && text.toLowerCase() !== 'null') (unsaid ??= {})[field] ??= text;
  }
  if (older && values.sale_price === undefined) {
    useOldPrice(values, { plain: current, old: older.text, isOldOnly: older.side === 'oldOnly' });
  }
  // A product without an id is identified by its link.
  if (values.deal_url !== undefined) values.external_id ??= values.deal_url;
  return unsaid ? { ...unsaid, ...values } : values;
}

/** Adds the heading's currency to a price that has none. */
function withCurrency(field: FeedField, text: string, currency: string): string {
  return isPriceField(field) && /^[\d.,\s'’-]*\d$/.test(text) ? `${text} ${currency}` : text;
}

function fill(
  { text, places }: NonNullable<FeedColumn['template']>,
  cells: readonly string[],
): string {
  const indexes = new Map(places);
  return fillPlaces(text, (name) => cells[indexes.get(name) ?? -1]?.trim() ?? '');
}

/**
 * Fills the columns into a template such as `{name}`, but leaves `{shop}`. Returns an empty string
 * if a column is empty. Only paths and intervals may lack some parts.
 */
export function fillPlaces(text: string, valueOf: (name: string) => string): string {
  const named = placesOf(text).filter((name) => name !== 'shop');
  const blank = named.filter((name) => valueOf(name) === '').length;
  if (named.length > 0 && blank === named.length) return '';
  if (blank > 0 && !/[>|~]/.test(text)) return '';
  const query = text.startsWith('{shop}') ? text.indexOf('?') : -1;
  return text.replace(/\{([^{}]+)\}/g, (whole, place: string, at: number) => {
    const name = plainFieldName(place);
    if (name === 'shop') return whole;
    return query !== -1 && at > query ? encodeURIComponent(valueOf(name)) : valueOf(name);
  });
}

/** The maximum number of cells shown to a user who chooses columns. */
export const mostRawCells = 500;

/** Reads a row, including its unchanged cells if requested. */
export function readRow(
  line: number,
  cells: readonly string[],
  { names, columns }: FeedHeader,
  keepRaw: boolean,
): FeedRow {
  const row = { line, values: readCells(cells, columns) };
  if (!keepRaw) return row;
  const shown = names.slice(0, mostRawCells);
  const raw = shown.map((name, index) => [
    name.trim().slice(0, 200),
    (cells[index] ?? '').slice(0, 300),
  ]);
  return { ...row, raw: Object.fromEntries(raw) };
}
