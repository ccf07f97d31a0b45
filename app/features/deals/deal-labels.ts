import type { DealCondition, DealStatus, SellerType } from '#database/schema/catalog-tables.ts';

export const conditionLabels: Record<DealCondition, string> = {
  acceptable: 'Acceptable',
  good: 'Good',
  very_good: 'Very good',
  like_new: 'Like new',
  refurbished: 'Refurbished',
};

/** Returns "New", the condition as text, or "Used". */
export function dealStatusLabel(deal: {
  status: DealStatus;
  condition: DealCondition | null;
}): string {
  if (deal.status === 'new') return 'New';
  return deal.condition ? conditionLabels[deal.condition] : 'Used';
}

export function sellerLabel(deal: { seller_type: SellerType }): string {
  return deal.seller_type === 'amazon' ? 'Amazon' : 'Third party';
}
