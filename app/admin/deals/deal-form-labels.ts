/** The fields of a deal's form, in its order: for the list of errors and for conflicts. */
export const dealFormLabels = {
  title: 'Title',
  slug: 'Slug',
  description: 'Description',
  merchant: 'Merchant',
  category_id: 'Category',
  sale_price: 'Sale Price',
  original_price: 'Original Price',
  coupon_code: 'Coupon Code',
  deal_url: 'Deal URL',
  image_url: 'Image URL',
  is_active: 'Active',
  is_featured: 'Featured',
  expires_at: 'Expires At',
  status: 'Product Status',
  condition: 'Condition',
  seller_type: 'Seller Type',
  availability: 'Availability',
  brand: 'Brand',
  gtin: 'GTIN',
} as const;

export type DealFieldName = keyof typeof dealFormLabels;

/** A new deal: active, not featured, new, sold by Amazon. */
export const blankDeal: Record<string, string> = {
  is_active: 'on',
  status: 'new',
  seller_type: 'amazon',
  availability: 'unknown',
};
