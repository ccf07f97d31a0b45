import { FeedError } from './feed-error.ts';
import { type FeedField, type FeedRow, type FieldSources, plainFieldName } from './feed-fields.ts';

export interface FeedColumn {
  index: number;
  field: FeedField;
  rank: number;
}

const required: FeedField[] = ['external_id', 'title', 'deal_url'];

/** Which columns fill which fields, the best first; a FeedError that lists the columns when one is missing. */
export function findColumns(header: readonly string[], sources: FieldSources): FeedColumn[] {
  const columns = matchColumns(header, sources);
  const found = new Set(columns.map((column) => column.field));
  const missing: string[] = required.filter((field) => !found.has(field));
  if (!found.has('sale_price') && !found.has('original_price')) missing.push('sale_price');
  if (missing.length > 0) {
    throw new FeedError(
      `no column was found for ${missing.join(', ')}; name it with --map ${missing[0]}=COLUMN. ` +
        `The columns are: ${header
          .map((name) => name.trim().slice(0, 60))
          .join(', ')
          .slice(0, 1_000)}`,
    );
  }
  return columns;
}

/** The same without asking whether anything is missing: for a person who is about to choose. */
export function matchColumns(header: readonly string[], sources: FieldSources): FeedColumn[] {
  const columns = header
    .flatMap((name, index) =>
      (sources.get(plainFieldName(name)) ?? []).map((source) => ({ index, ...source })),
    )
    .toSorted((a, b) => a.rank - b.rank);
  readLonePriceAsPresent(header, columns);
  return columns;
}

/** Beside a "list price" and without a "sale price", a column called "price" is the present one. */
function readLonePriceAsPresent(header: readonly string[], columns: FeedColumn[]): void {
  if (columns.some((column) => column.field === 'sale_price')) return;
  const regular = columns.filter((column) => column.field === 'original_price');
  const present = regular.find((column) => plainFieldName(header[column.index] ?? '') === 'price');
  if (present && regular.length > 1) present.field = 'sale_price';
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
