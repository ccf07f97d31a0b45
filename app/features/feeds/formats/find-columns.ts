import { FeedError } from './feed-error.ts';
import { type FeedField, type FeedRow, type FieldSources, plainFieldName } from './feed-fields.ts';

interface FeedColumn {
  index: number;
  field: FeedField;
  rank: number;
}

/** The columns of a table, or the keys of a record, with the fields they fill: the best first. */
export interface FeedHeader {
  names: readonly string[];
  columns: FeedColumn[];
}

const required: FeedField[] = ['external_id', 'title', 'deal_url'];

/**
 * Which columns fill which fields; a FeedError that lists the columns when one is missing, unless it may be: somebody is
 * about to choose, or a record is silent about it.
 */
export function findColumns(
  names: readonly string[],
  sources: FieldSources,
  mayMiss: boolean,
): FeedHeader {
  const columns = matchColumns(names, sources);
  if (mayMiss) return { names, columns };
  const found = new Set(columns.map((column) => column.field));
  const missing: string[] = required.filter((field) => !found.has(field));
  if (!found.has('sale_price') && !found.has('original_price')) missing.push('sale_price');
  if (missing.length > 0) {
    const all = names.map((name) => name.trim().slice(0, 60)).join(', ');
    throw new FeedError(
      `no column was found for ${missing.join(', ')}; name it with --map ${missing[0]}=COLUMN. ` +
        `The columns are: ${all.slice(0, 1_000)}`,
    );
  }
  return { names, columns };
}

export function matchColumns(names: readonly string[], sources: FieldSources): FeedColumn[] {
  const columns = names
    .flatMap((name, index) =>
      (sources.get(plainFieldName(name)) ?? []).map((source) => ({ index, ...source })),
    )
    .toSorted((a, b) => a.rank - b.rank);
  // Beside a "list price" and without a "sale price", a column called "price" is the present one.
  const regular = columns.filter(({ field }) => field === 'original_price');
  const price = regular.find(({ index }) => plainFieldName(names[index] ?? '') === 'price');
  const hasSale = columns.some(({ field }) => field === 'sale_price');
  if (price && regular.length > 1 && !hasSale) price.field = 'sale_price';
  return columns;
}

export function readCells(
  cells: readonly string[],
  columns: readonly FeedColumn[],
): FeedRow['values'] {
  const values: FeedRow['values'] = {};
  for (const { index, field } of columns) {
    const text = cells[index]?.trim() ?? '';
    if (text === '' || text.toLowerCase() === 'null') continue;
    values[field] ??= text;
  }
  return values;
}

/** With its own words too, where somebody wants to look at them. */
export function readRow(
  line: number,
  cells: readonly string[],
  { names, columns }: FeedHeader,
  keepRaw: boolean,
): FeedRow {
  const row = { line, values: readCells(cells, columns) };
  if (!keepRaw) return row;
  const raw = names.map((name, index) => [name.trim(), (cells[index] ?? '').slice(0, 300)]);
  return { ...row, raw: Object.fromEntries(raw) };
}
