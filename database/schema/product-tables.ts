import type { Generated } from 'kysely';
import type { Timestamp } from '#database/schema/column-types.ts';

/** Tables for products and their matching. */
export interface ProductTables {
  /** Products with offers from several stores. */
  products: {
    id: Generated<number>;
    slug: string;
    title: string;
    /** The product that this is a variant of, and the difference, such as a color. */
    variant_of: number | null;
    variant_label: string | null;
    /** The product that staff merged this one into, which then has its offers and GTINs. */
    merged_into: number | null;
    created_at: Timestamp;
  };
  /** GTINs of products. A GTIN without a product is used for different products. */
  product_gtins: { gtin: string; product_id: number | null };
  /** Changes by staff, with the values before and after. */
  product_acts: {
    id: Generated<number>;
    kind: 'link' | 'split' | 'move' | 'merge' | 'share' | 'undo';
    product_id: number | null;
    other_id: number | null;
    undoes: number | null;
    changes: unknown;
    actor: string;
    at: Timestamp;
  };
  product_links: {
    id: Generated<number>;
    deal_id: number;
    from_product: number | null;
    to_product: number | null;
    actor: string | null;
    act_id: number | null;
    returns_with: string | null;
    at: Timestamp;
  };
  match_checks: { id: Generated<number>; gtin: string };
  /** Model and part numbers of deals. */
  deal_codes: { token: string; deal_id: number };
  suggestion_checks: { id: Generated<number>; deal_id: number };
  /** Pairs of deals that may be one product; `deal_id` is the smaller id. */
  match_suggestions: { deal_id: number; other_id: number; reason: string; score: number };
  match_decisions: {
    id: Generated<number>;
    deal_id: number;
    other_id: number;
    reason: string;
    score: number;
    verdict: string;
    before: unknown;
    actor: string;
    at: Timestamp;
  };
}
