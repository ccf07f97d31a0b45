import type { Insertable } from 'kysely';
import type { Database } from '#database/schema.ts';
import { nextNumber } from './sequence.ts';

export type NewDeal = Insertable<Database['deals']>;
type Owners = Pick<NewDeal, 'category_id' | 'merchant_id'>;

/**
 * Returns a live deal in new condition for $19.99 instead of $39.99. Its category and merchant must
 * exist (see `insertDeal`).
 */
export function aDeal(overrides: Partial<NewDeal> & Owners): NewDeal {
  const number = nextNumber();
  return {
    title: `Deal ${number}`,
    slug: `deal-number-${number}`,
    description: `What is on offer in deal ${number}.`,
    sale_price: 1999,
    original_price: 3999,
    deal_url: `https://shop.example/p/${number}`,
    status: 'new',
    seller_type: 'third_party',
    availability: 'in_stock',
    held_at: overrides.held_price ? new Date() : null,
    ...overrides,
  };
}
