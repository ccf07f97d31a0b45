import type { PricedDeal } from '#app/features/prices/price-deals.server.ts';

/** The result of a dry run besides its counts. */
export interface DryRun {
  /** The first deals that the import writes, as their cards will look. */
  cards: PricedDeal[];
  /** The first names of categories that the import creates, and their number. */
  categories: string[];
  categoryCount: number;
  /** The first deals that the import ends. */
  ending: { title: string; slug: string }[];
}
