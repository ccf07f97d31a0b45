import products from './demo-products.json' with { type: 'json' };
import type { DemoCategoryName } from './demo-shops.ts';
import type { ProductKind } from './product-art.ts';

/** The words are in `demo-products.json`: products that share a drawing and what is true of all of them. */
export interface DemoProductLine {
  kind: ProductKind;
  category: DemoCategoryName;
  /** True of every item of the line; a description takes one of them. */
  notes: readonly string[];
  /** `dollars` is what it usually costs. */
  items: readonly { title: string; dollars: number; fact: string }[];
}

export const demoProducts = products as readonly DemoProductLine[];
