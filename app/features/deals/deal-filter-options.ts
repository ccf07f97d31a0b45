import { conditionLabels } from './deal-labels.ts';
import type { DealSort } from './deal-sorts.ts';
import { formatMoney, parseMoney } from '#app/platform/money.ts';

interface FilterOption {
  value: string;
  /** The label in the select. */
  label: string;
  /** The label on the pill of an applied filter. */
  pill: string;
}

/** Labels of filters with a few values, by URL parameter. */
export const filterOptions: Record<string, FilterOption[]> = {
  status: [
    { value: 'new', label: 'New', pill: 'New' },
    { value: 'used', label: 'Used', pill: 'Used' },
  ],
  condition: Object.entries(conditionLabels).map(([value, label]) => ({
    value,
    label,
    pill: label,
  })),
  seller: [
    { value: 'amazon', label: 'Amazon', pill: 'Amazon' },
    { value: 'third_party', label: 'Third party', pill: 'Third party' },
  ],
  type: [
    { value: 'featured', label: 'Featured', pill: 'Featured deals' },
    { value: 'coupon', label: 'Coupon', pill: 'Coupon deals' },
    { value: 'expiring', label: 'Expiring soon', pill: 'Expiring soon' },
  ],
  evidence: [
    { value: 'low', label: 'Real lows only', pill: 'Real lows only' },
    { value: 'fell', label: 'Price fell this week', pill: 'Price fell this week' },
  ],
};

export const sortLabels: Record<DealSort, string> = {
  relevance: 'Relevance',
  newest: 'Newest',
  oldest: 'Oldest',
  discount: 'Discount (highest)',
  best: 'Best against its own history',
  price_low: 'Price: low to high',
  price_high: 'Price: high to low',
  unit_price: 'Price per unit',
};

/** The names of categories and stores, as in the facets of a search. */
interface NamedPlaces {
  category?: readonly NamedPlace[];
  merchant?: readonly NamedPlace[];
}
interface NamedPlace {
  slug: string;
  name: string;
}

/** Returns a pill's label: `{ name: 'min', value: '20' }` → `From $20`. */
export function pillLabel(
  { name, value }: { name: string; value: string },
  places: NamedPlaces,
  currency: string,
): string {
  const money = (decimal: string) =>
    formatMoney(parseMoney(decimal, currency) ?? 0, currency, { wholeIfRound: true });
  if (name === 'off') return `At least ${value}% off`;
  if (name === 'min') return `From ${money(value)}`;
  if (name === 'max') return `Up to ${money(value)}`;
  if (name === 'category' || name === 'merchant') {
    return places[name]?.find(({ slug }) => slug === value)?.name ?? value;
  }
  return filterOptions[name]?.find((option) => option.value === value)?.pill ?? value;
}
