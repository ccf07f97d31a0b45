import type { Insertable } from 'kysely';
import type { Database } from '#database/schema.ts';
import { nextNumber } from './sequence.ts';

export type NewCategory = Insertable<Database['categories']>;

export function aCategory(overrides: Partial<NewCategory> = {}): NewCategory {
  const number = nextNumber();
  return {
    name: `Category ${number}`,
    slug: `category-${number}`,
    description: `What belongs to category ${number}.`,
    icon: 'tag',
    ...overrides,
  };
}
