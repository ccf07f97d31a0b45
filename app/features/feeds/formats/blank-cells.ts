import type { FeedField, FeedRow } from './feed-fields.ts';

const blankWords = new Set(
  '- -- --- – — . / n/a #n/a na n.a. nan none null nil tbd tba false undefined'.split(' '),
);

const notAvailable =
  /^(?:not (?:available|applicable)|does not apply|(?:nicht|momentan nicht|derzeit nicht) verf(?:ü|ue)gbar|non disponibile|(?:non|no) disponible|niet beschikbaar|niedostępn[aey]|ikke tilgængelig|нет в наличии)$/i;
const longestPlaceholder = 24;

/** Whether a cell is a placeholder for a missing price. */
export function isBlankPrice(text: string): boolean {
  if (text.length > longestPlaceholder) return false;
  const word = text.trim();
  if (word === '' || (word.length <= 9 && blankWords.has(word.toLowerCase()))) return true;
  return /^\p{L}/u.test(word) && notAvailable.test(word);
}

/** Fields that are not used if they contain a placeholder. */
const mayBeBlank: ReadonlySet<FeedField> = new Set<FeedField>([
  'external_id',
  'group_id',
  'description',
  'image_url',
  'category',
  'brand',
  'gtin',
  'mpn',
  'condition',
  'coupon_code',
  'net_contents',
  'unit_base',
  'sale_dates',
  'expires_at',
]);

/** Whether a field contains a placeholder for a missing value, such as `N/A`. */
export function isPlaceholder(field: FeedField, text: string): boolean {
  if (text.length > longestPlaceholder || !mayBeBlank.has(field)) return false;
  const word = text.trim();
  // A product may have the id 0.
  const isZero = field !== 'external_id' && /^0+(?:[.,]0+)?$/.test(word);
  return isZero || isBlankPrice(word);
}

/**
 * Returns a row's values without placeholders. A product without an id is identified by its link.
 */
export function withoutPlaceholders(values: FeedRow['values']): FeedRow['values'] {
  const kept = { ...values };
  for (const field of mayBeBlank) {
    const text = kept[field];
    if (text !== undefined && isPlaceholder(field, text)) delete kept[field];
  }
  if (values.external_id && values.deal_url !== undefined) {
    kept.external_id ??= values.deal_url;
  }
  return kept;
}
