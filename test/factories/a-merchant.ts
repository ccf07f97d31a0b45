import type { Insertable } from 'kysely';
import type { Database } from '#database/schema.ts';
import { nextNumber } from './sequence.ts';

export type NewMerchant = Insertable<Database['merchants']>;

export function aMerchant(overrides: Partial<NewMerchant> = {}): NewMerchant {
  const number = nextNumber();
  return {
    name: `Merchant ${number}`,
    slug: `merchant-${number}`,
    description: `The shop of merchant ${number}.`,
    website_url: `https://merchant-${number}.example`,
    logo_url: null,
    is_featured: false,
    external_id: null,
    affiliate_template: null,
    affiliate_sub_id: null,
    free_shipping_over: null,
    hide_price_after_hours: null,
    price_disclaimer: null,
    ...overrides,
  };
}
