import { exponentOf } from '#app/platform/money.ts';
import { type FeedRow, placesOf, plainFieldName } from './feed-fields.ts';
import type { MappingFile } from './feed-formats.server.ts';

/** A record flattened to names and texts. */
export interface Flat {
  names: string[];
  cells: string[];
}

/** Returns the value of a column by its normalized name, or an empty string if it is missing. */
export type ValueOf = (name: string) => string;

export function valuesOf({ names, cells }: { names: readonly string[]; cells: readonly string[] }) {
  let plain: string[] | undefined;
  return (name: string): string => {
    plain ??= names.map(plainFieldName);
    return cells[plain.indexOf(name)]?.trim() ?? '';
  };
}

/** Returns the columns that a mapping reads in addition to those of its fields. */
export function namesRead({ skips = {}, minor_units, divisor }: MappingFile): string[] {
  const columns = [...Object.keys(skips).map(plainFieldName), minor_units, divisor];
  return columns.filter((name) => typeof name === 'string');
}

/** Whether a row is not a product. */
export function isSkipped({ skips = {} }: MappingFile, valueOf: ValueOf): boolean {
  return Object.entries(skips).some(([name, words]) =>
    words.includes(valueOf(plainFieldName(name)).toLowerCase()),
  );
}

const wholeNumber = /^(\d+)(?:\.0+)?(\s*[A-Za-z]{3})?$/;

/** Converts prices that are multiplied or in minor units to decimals: `1999` becomes `19.99`. */
export function scalePrices({ values }: FeedRow, format: MappingFile, valueOf: ValueOf): void {
  if (format.minor_units === undefined && format.divisor === undefined) return;
  for (const field of ['sale_price', 'original_price'] as const) {
    const [, number, unit = ''] = wholeNumber.exec(values[field] ?? '') ?? [];
    if (number === undefined) continue;
    const currency = (unit.trim() || values.currency || '').toUpperCase();
    const digits = decimalsOf(format, currency, valueOf);
    if (digits > 0 && digits < 10) values[field] = `${pointBefore(number, digits)}${unit}`;
  }
}

function decimalsOf(
  { minor_units: units, divisor }: MappingFile,
  currency: string,
  valueOf: ValueOf,
): number {
  if (units === true) return exponentOf(currency);
  if (units !== undefined) return Math.trunc(Number(valueOf(units)));
  const by = typeof divisor === 'number' ? divisor : Number(valueOf(divisor ?? ''));
  return Math.round(Math.log10(by));
}

/** Avoids exactly three decimals, which could be read as thousands. */
export function pointBefore(number: string, digits: number): string {
  const padded = number.padStart(digits + 1, '0');
  const decimals = padded.slice(-digits).padEnd(4, '0');
  let length = decimals.length;
  while (length > 2 && decimals[length - 1] === '0') length--;
  return `${padded.slice(0, -digits)}.${decimals.slice(0, length === 3 ? 4 : length)}`;
}

/** Reorders or names the entries of a record's lists, in place. */
export function arrangeLists(record: object, lists: MappingFile['lists'] = {}): void {
  for (const [path, rule] of Object.entries(lists)) {
    const steps = path.split('.');
    const last = steps.pop() ?? '';
    const owners = steps.reduce<unknown[]>(
      (inside, step) => inside.flatMap((one) => entryOf(one, step)?.[1]),
      [record],
    );
    for (const owner of owners) {
      const [key, list] = entryOf(owner, last) ?? [];
      if (key === undefined || !Array.isArray(list)) continue;
      Object.assign(owner as object, { [key]: arranged(list, rule) });
    }
  }
}

function arranged(
  list: readonly unknown[],
  { where, by }: NonNullable<MappingFile['lists']>[string],
): unknown {
  if (by !== undefined) {
    const named = list.map((entry): [string, unknown] => [textOf(entryOf(entry, by)?.[1]), entry]);
    return Object.fromEntries(named.filter(([name]) => name !== ''));
  }
  const wanted = Object.entries(where ?? {});
  const isWanted = (entry: unknown) =>
    wanted.every(([path, words]) => {
      const found = path
        .split('.')
        .reduce<unknown>((inside, step) => entryOf(inside, step)?.[1], entry);
      return words.includes(textOf(found).toLowerCase());
    });
  return [...list.filter(isWanted), ...list.filter((entry) => !isWanted(entry))];
}

/** Returns the key and value of an object's property by its normalized name. */
function entryOf(value: unknown, name: string): [string, unknown] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.entries(value).find(([key]) => plainFieldName(key) === name);
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

/** characters; older parents are dropped. A feed of 50,000 products needs about 25 million. */
const mostRemembered = 60_000_000;

/** Combines a record with the earlier record that it refers to. */
export function parentJoiner(parent: MappingFile['parent']) {
  const known = new Map<string, Flat>();
  let remembered = 0;
  const sizeOf = ({ names, cells }: Flat) => [...names, ...cells].join('').length;
  return (record: Flat): (Flat & { problem?: string })[] => {
    if (!parent) return [record];
    const valueOf = valuesOf(record);
    const isProduct = parent.has.some((name) => valueOf(name) !== '');
    const wanted = valueOf(parent.by);
    if (wanted === '') {
      known.set(valueOf(parent.key), record);
      remembered += sizeOf(record);
      for (const [key, oldest] of known) {
        if (remembered <= mostRemembered) break;
        known.delete(key);
        remembered -= sizeOf(oldest);
      }
      return isProduct ? [record] : [];
    }
    if (!isProduct) return [];
    const names = record.names.map((name) => `${parent.as}.${name}`);
    const above = known.get(wanted);
    if (!above) {
      const problem = `its parent ${wanted.slice(0, 80)} is not in the feed`;
      return [{ names, cells: record.cells, problem }];
    }
    return [{ names: [...above.names, ...names], cells: [...above.cells, ...record.cells] }];
  };
}

interface Template {
  text: string;
  fills: readonly { field: keyof FeedRow['values']; rank: number }[];
  places: readonly string[];
}

/** Returns the templates with `{name}` among the sources of fields, best first. */
export function templatesOf(
  sources: ReadonlyMap<string, readonly { field: keyof FeedRow['values']; rank: number }[]>,
): Template[] {
  return [...sources]
    .filter(([text]) => text.includes('{'))
    .map(([text, fills]) => ({ text, fills, places: placesOf(text) }))
    .toSorted((a, b) => (a.fills[0]?.rank ?? 0) - (b.fills[0]?.rank ?? 0));
}
