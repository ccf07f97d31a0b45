import { type ColumnFor, columnsFor, dealColumns } from '#app/features/deals/deal-columns.ts';

/** A field of the form, which has the merchant's name instead of the id. */
export type DealFieldName = Exclude<ColumnFor<'form'>, 'merchant_id'> | 'merchant';

const inOrder: readonly DealFieldName[] = [
  'title',
  'slug',
  'description',
  'merchant',
  'category_id',
  'sale_price',
  'original_price',
  'coupon_code',
  'deal_url',
  'image_url',
  'is_active',
  'is_featured',
  'expires_at',
  'status',
  'condition',
  'seller_type',
  'availability',
] as const;

/** Returns the form's fields in order, for the error list and for conflicts. */
export function dealFormFields(): DealFieldName[] {
  const rest = columnsFor('form').filter((name) => name !== 'merchant_id');
  return [...new Set([...inOrder, ...rest])];
}

export function dealFormLabel(name: DealFieldName): string {
  return dealColumns[name === 'merchant' ? 'merchant_id' : name].label ?? name;
}

/** Values of a new deal: active, not featured, new, sold by Amazon. */
export const blankDeal: Record<string, string> = {
  is_active: 'on',
  status: 'new',
  seller_type: 'amazon',
  availability: 'unknown',
};
