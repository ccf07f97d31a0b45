import shops from './demo-shops.json' with { type: 'json' };
import type { CategoryIcon } from '#database/schema/catalog-tables.ts';

export const demoCategoryNames = [
  'Electronics',
  'Fashion',
  'Home & Kitchen',
  'Fitness',
  'Books',
  'Automotive',
  'Gaming',
  'Tools',
] as const;
export type DemoCategoryName = (typeof demoCategoryNames)[number];

export interface DemoCategory {
  name: DemoCategoryName;
  icon: CategoryIcon;
  description: string;
}

export interface DemoMerchant {
  name: string;
  host: string;
  category: DemoCategoryName;
  description: string;
  /** The product kinds it sells. */
  kinds: readonly string[];
  isFeatured: boolean;
  hasAffiliateProgramme: boolean;
  /** Cents, or null where the shop always charges for the parcel. */
  freeShippingOver: number | null;
  /** What the shop promises with every order; deals quote one of them. */
  promises: readonly string[];
}

/** The words are in `demo-shops.json`. */
export const { categories: demoCategories, merchants: demoMerchants } = shops as {
  readonly categories: readonly DemoCategory[];
  readonly merchants: readonly DemoMerchant[];
};
