import { type FeedField, type FeedRow, plainFieldName } from './feed-fields.ts';
import type { MappingFile } from './feed-formats.server.ts';
import type { FeedHeader } from './find-columns.ts';
import { type Flat, pointBefore } from './record-language.ts';

/** A column whose price is an object with an amount and a currency. */
interface AmountColumn {
  field: FeedField;
  index: number;
  /** The index of the column by which the amount is divided, or -1 if there is none. */
  divisor: number;
}

/**
 * Reads price objects in JSON of an unknown format. Those with a `divisor` are divided. Others are
 * marked as ambiguous, since `1999` may mean `19.99`. A known format defines its notation.
 */
export function amountReader({ marks, minor_units, divisor }: MappingFile) {
  const isKnown = marks ?? minor_units ?? divisor;
  const columnsOf = new WeakMap<FeedHeader, AmountColumn[]>();
  return (row: FeedRow, { cells }: Flat, header: FeedHeader): void => {
    if (isKnown !== undefined) return;
    let columns = columnsOf.get(header);
    if (!columns) columnsOf.set(header, (columns = amountColumns(header)));
    for (const { field, index, divisor: by } of columns) {
      const text = row.values[field];
      if (text === undefined || text !== cells[index]?.trim()) continue;
      if (row.amounts?.includes(field)) continue;
      const digits = Math.log10(Number(cells[by]));
      const [, number, unit = ''] = /^(\d+)( [A-Z]{3})?$/.exec(text) ?? [];
      if (number !== undefined && Number.isInteger(digits) && digits >= 0 && digits < 10) {
        row.values[field] = digits === 0 ? text : `${pointBefore(number, digits)}${unit}`;
      } else {
        row.amounts = [...(row.amounts ?? []), field];
      }
    }
  };
}

function amountColumns({ names, columns }: FeedHeader): AmountColumn[] {
  const plain = names.map(plainFieldName);
  return columns.flatMap(({ field, index }) => {
    if (field !== 'sale_price' && field !== 'original_price') return [];
    const object = (plain[index] ?? '').replace(/_(?:amount|value)$/, '');
    const has = (name: string) => plain.includes(`${object}_${name}`);
    const isPriced = (has('amount') || has('value')) && (has('currency') || has('currency_code'));
    return isPriced ? [{ field, index, divisor: plain.indexOf(`${object}_divisor`) }] : [];
  });
}
