import { findListColumns, readListRow } from './list-columns.ts';
import { type ListedProduct, readPlainLine } from './listed-product.ts';

/** levels of nested arrays and objects that are searched */
const deepest = 4;

/**
 * Returns the entries of the array with the most products, each with its product or `null`. Exports
 * nest this array in different ways. Returns `null` if there is no such array.
 */
export function readJsonList(
  json: unknown,
  most: number,
): { text: string; product: ListedProduct | null }[] | null {
  let best: { items: unknown[]; count: number } | null = null;
  for (const items of listsIn(json, deepest)) {
    const count = items.slice(0, most).filter((item) => readItem(item) !== null).length;
    if (count > (best?.count ?? 0)) best = { items, count };
  }
  return best && best.items.map((item) => ({ text: textOf(item), product: readItem(item) }));
}

function listsIn(value: unknown, depth: number): unknown[][] {
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  const inside = Object.values(value).flatMap((one) => listsIn(one, depth - 1));
  return Array.isArray(value) ? [value, ...inside] : inside;
}

function readItem(item: unknown): ListedProduct | null {
  if (typeof item === 'string') return readPlainLine(item);
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return null;
  const fields = fieldsOf(item);
  const columns = findListColumns(fields.map(([name]) => name));
  return (
    columns &&
    readListRow(
      fields.map(([, value]) => value),
      columns,
    )
  );
}

/** Objects inside an entry that have their own titles. */
const others = /^(?:cat|category|group|shop|store|list|user)$/i;

/** Returns the entry's own fields, followed by those of its inner objects, such as `game`. */
function fieldsOf(item: object): [name: string, value: string][] {
  const all: [string, unknown][] = Object.entries(item);
  const own = all.flatMap(([name, value]) => scalar(name, value));
  const inner = all.flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && !others.test(name)
      ? Object.entries(value).flatMap(([inside, one]) => scalar(inside, one))
      : [],
  );
  return [...own, ...inner];
}

function scalar(name: string, value: unknown): [string, string][] {
  return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [];
}

function textOf(item: unknown): string {
  return typeof item === 'string' ? item : JSON.stringify(item);
}
