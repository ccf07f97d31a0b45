import type { Generated } from 'kysely';
import type { Timestamp } from '#database/schema/column-types.ts';

/** Tables of products and their matching. */
export interface ProductTables {
  /** Products with offers of several stores. */
  products: {
    id: Generated<number>;
    gtin: string;
    slug: string;
    title: string;
    /** The product that this is a variant of, with the difference, such as a colour. */
    variant_of: number | null;
    variant_label: string | null;
    created_at: Timestamp;
  };
  product_links: {
    id: Generated<number>;
    deal_id: number;
    from_product: number | null;
    to_product: number | null;
    actor: string | null;
    at: Timestamp;
  };
  match_checks: { id: Generated<number>; gtin: string };
}
