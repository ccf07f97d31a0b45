import type { DemoCategoryName } from './demo-shops.ts';
import type { ProductKind } from './product-art.ts';

/** Products that share a drawing and what is true of all of them. */
export interface DemoProductLine {
  kind: ProductKind;
  category: DemoCategoryName;
  /** True of every item of the line; a description takes one of them. */
  notes: readonly [string, string, string];
  items: readonly (readonly [title: string, usualPriceInDollars: number, fact: string])[];
}
