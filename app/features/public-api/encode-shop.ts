import type { z } from 'zod';
import type { Category } from '#app/features/categories/category-queries.server.ts';
import type { Merchant } from '#app/features/merchants/merchant-queries.server.ts';
import { pickFields } from '#app/platform/pick-fields.ts';
import type { category as categorySchema, merchant as merchantSchema } from './api-schemas.ts';
import { fullAddress } from './encode-deal.ts';

export function encodeCategory(
  category: Omit<Category, 'icon'>,
  origin: string,
): z.output<typeof categorySchema> {
  return {
    ...pickFields(category, ['id', 'name', 'slug', 'description']),
    url: `${origin}/categories/${category.slug}`,
    live_deals: category.deal_count,
  };
}

export function encodeMerchant(
  merchant: Omit<Merchant, 'free_shipping_over'>,
  origin: string,
): z.output<typeof merchantSchema> {
  return {
    ...pickFields(merchant, ['id', 'name', 'slug', 'description', 'is_featured']),
    url: `${origin}/merchants/${merchant.slug}`,
    logo_url: fullAddress(merchant.logo_url, origin),
    website_url: fullAddress(merchant.website_url, origin),
    live_deals: merchant.deal_count,
  };
}
