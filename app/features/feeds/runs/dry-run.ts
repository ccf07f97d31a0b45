import type { PricedDeal } from '#app/features/prices/price-deals.server.ts';

/** The result of a dry run, except for its counts. */
export interface DryRun {
  /** The cards of the first deals that the import would write. */
  cards: PricedDeal[];
  /** The first names of categories that the import would create, and their total number. */
  categories: string[];
  categoryCount: number;
  /** The first deals that the import would end. */
  ending: { title: string; slug: string }[];
}
