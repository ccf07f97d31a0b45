import type { ActiveFilter, DealSort } from '#app/features/deals/deal-list-input.ts';

interface FilterOption {
  value: string;
  /** In the select. */
  label: string;
  /** Alone, on the pill of an applied filter. */
  pill: string;
}

/** The words of the filters that are selects, under the names of their URL parameters. */
export const filterOptions: Record<'status' | 'seller' | 'type', FilterOption[]> = {
  status: [
    { value: 'new', label: 'New', pill: 'New' },
    { value: 'used', label: 'Used', pill: 'Used' },
  ],
  seller: [
    { value: 'amazon', label: 'Amazon', pill: 'Amazon' },
    { value: 'third_party', label: 'Third party', pill: 'Third party' },
  ],
  type: [
    { value: 'featured', label: 'Featured', pill: 'Featured deals' },
    { value: 'coupon', label: 'Coupon', pill: 'Coupon deals' },
    { value: 'expiring', label: 'Expiring soon', pill: 'Expiring soon' },
  ],
};

export const sortOptions: { value: DealSort; label: string }[] = [
  { value: 'newest', label: 'Newest' },
  { value: 'discount', label: 'Discount (highest)' },
  { value: 'price-low', label: 'Price: low to high' },
  { value: 'price-high', label: 'Price: high to low' },
];

/** `{ name: 'min', value: '20' }` → `From $20`. `money` writes a decimal amount in the site's currency. */
export function pillLabel(
  { name, value }: ActiveFilter,
  money: (decimal: string) => string,
): string {
  if (name === 'min') return `From ${money(value)}`;
  if (name === 'max') return `Up to ${money(value)}`;
  return filterOptions[name].find((option) => option.value === value)?.pill ?? value;
}
