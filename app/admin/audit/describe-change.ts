import type { DealColumnName } from '#app/features/deals/deal-columns.ts';
import { cutText } from '#app/platform/cut-text.ts';
import { formatMoney } from '#app/platform/money.ts';
import { fullTime } from '#app/platform/time-words.ts';

/** The default currency, and the time zone of values. */
export interface Formats {
  currency: string;
  timeZone: string;
}

/** A value as text, or a reference to a row. */
export type Said = string | { kind: string; id: string };

export interface FieldChange {
  name: string;
  label: string;
  /** `null` if the field or its value was missing. */
  before: Said | null;
  after: Said | null;
}

type Fields = ReadonlyMap<string, unknown>;

/** Returns only the fields that an entry changed. */
export function describeChange(before: unknown, after: unknown, formats: Formats): FieldChange[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names
    .filter((name) => !unsaid.has(name.split('.')[0] ?? ''))
    .map((name) => ({
      name,
      label: labelOf(name),
      before: formatField(name, was.get(name), formatsOf(was, formats)),
      after: formatField(name, is.get(name), formatsOf(is, formats)),
    }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

/**
 * Returns the formats for one side of an entry, in that side's currency if the entry changed the
 * currency.
 */
function formatsOf(side: Fields, formats: Formats): Formats {
  const currency = side.get('currency');
  return typeof currency === 'string' ? { ...formats, currency } : formats;
}

/** Columns that the database computes from others. */
const computed = [
  'discount_amount',
  'discount_percent',
  'observed_percent',
  'checked_percent',
  'reference_price',
  'low_30_before',
  'price_source',
  'price_since',
  'price_checked_at',
  'is_expired',
  'traits',
] satisfies DealColumnName[];

/** Fields that the sentence already names, or that are of no interest. */
const unsaid = new Set<string>([
  'ids',
  'titles',
  'categories',
  'values',
  'batch',
  'version',
  'updated_at',
  ...computed,
]);

/** Fields that contain the id of another row. */
const pointers: Readonly<Record<string, string>> = {
  category_id: 'category',
  merchant_id: 'merchant',
  copy_of: 'deal',
  kept: 'deal',
  other: 'deal',
  product: 'product',
  into: 'product',
  assigned_to: 'user',
};

/** Returns the row that a field refers to, if any. Ids of users consist of letters. */
export function pointedAt(name: string, value: unknown): { kind: string; id: string } | null {
  const kind = pointers[name];
  const isId = typeof value === 'number' || (kind === 'user' && typeof value === 'string');
  return kind && isId ? { kind, id: String(value) } : null;
}

/** Returns the fields of one side. Fields of a nested object have its name as a prefix. */
export function fieldsOf(side: unknown, path = ''): Fields {
  if (side === null || side === undefined) return new Map();
  if (typeof side !== 'object' || Array.isArray(side)) return new Map([[path || 'value', side]]);
  return new Map(
    Object.entries(side).flatMap(([name, value]) =>
      value === null
        ? [[path + name, null]]
        : [...fieldsOf(value, path + name + (isObject(value) ? '.' : ''))],
    ),
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const labels: Readonly<Record<string, string>> = {
  sale_price: 'price',
  deal_url: 'link',
  image_url: 'picture',
  expires_at: 'end',
  is_active: 'activity',
  isActive: 'activity',
};

/**
 * Returns a field's label: `original_price` → `original price`, `hero.title` → `hero title`,
 * `isActive` → `active`.
 */
function labelOf(name: string): string {
  return (
    labels[name] ??
    name
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .replace(/[._]/g, ' ')
      .replace(/^is /, '')
      .replace(/ (id|at)$/, '')
      .toLowerCase()
      .replace(/\b(url|seo|gtin)\b/g, (word) => word.toUpperCase())
  );
}

const longestValue = 160;

/** Returns this field's value as text, or `null` if empty. */
export function formatField(name: string, value: unknown, formats: Formats): Said | null {
  if (value === null || value === undefined) return null;
  const pointed = pointedAt(name, value);
  if (pointed) return pointed;
  if (typeof value === 'number' && /_price$|^low_|_amount$/.test(name)) {
    return formatMoney(value, formats.currency);
  }
  if (name === 'is_active' || name === 'isActive') return value ? 'active' : 'inactive';
  const text = formatValue(value, formats);
  return text === null ? null : cutText(text, longestValue);
}

function formatValue(value: unknown, formats: Formats): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (typeof value === 'number') return value.toLocaleString('en-US');
  if (Array.isArray(value)) {
    return value.length === 0
      ? null
      : value.map((one) => formatValue(one, formats) ?? '').join(', ');
  }
  if (typeof value === 'object') {
    return Object.values(value)
      .map((one) => formatValue(one, formats) ?? '')
      .join(' ');
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) {
    const moment = new Date(text);
    if (!Number.isNaN(moment.getTime())) return fullTime(moment, formats.timeZone);
  }
  return /^[a-z]+(_[a-z]+)+$/.test(text) ? text.replaceAll('_', ' ') : text;
}
