import { sql } from 'kysely';
import { liveScope } from '#app/features/deals/deal-conditions.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { compareOffers } from './compare-offers.ts';
import { mostOffers } from './product-queries.server.ts';

/** A deal with the data for a comparison, and its product. */
export type ProductOffer = Parameters<typeof compareOffers>[0][number] & {
  product_id: number;
  /** The slug of the product. */
  slug: string;
  is_expired: boolean;
  expires_at: Date | null;
};

type OfferRow = Omit<ProductOffer, 'merchant'> & { merchant_id: number } & Omit<
    ProductOffer['merchant'],
    'id'
  >;

const columns = sql`p.id as product_id, p.slug, d.id, d.sale_price, d.shipping_cost, d.status, d.condition, d.availability, d.is_expired, d.expires_at,
  greatest(d.price_checked_at, (select k.checked_at from deal_price_checks k where k.deal_id = d.id)) as price_checked_at,
  d.merchant_id, m.free_shipping_over, m.standard_shipping, m.hide_price_after_hours`;

function asOffer({
  merchant_id: id,
  free_shipping_over,
  standard_shipping,
  hide_price_after_hours,
  ...offer
}: OfferRow): ProductOffer {
  return {
    ...offer,
    merchant: { id, free_shipping_over, standard_shipping, hide_price_after_hours },
  };
}

/** Reads the deals that have a product. */
export async function readLinkedDeals(db: Db, ids: readonly number[]): Promise<ProductOffer[]> {
  const rows = await ask(db).rows<OfferRow>`/* often */
    select ${columns} from deals d join products p on p.id = d.product_id join merchants m on m.id = d.merchant_id
     where d.id = any(${ids}::bigint[])`;
  return rows.map(asOffer);
}

/**
 * Reads the live offers of some products. For texts that outlive a page, such as emails, stores
 * that forbid outdated prices or price tracking are excluded.
 */
export async function readOffers(
  db: Db,
  products: readonly (number | null)[],
  { outlivesPage = false } = {},
): Promise<ProductOffer[]> {
  const ids = [...new Set(products)].filter((id) => id !== null);
  if (ids.length === 0) return [];
  const rows = await ask(db).rows<OfferRow>`/* often */
    select ${columns} from products p
      cross join lateral (
        select * from deals where product_id = p.id and ${liveScope} order by id limit ${mostOffers}) d
      join merchants m on m.id = d.merchant_id
     where p.id = any(${ids}::bigint[])
       and (not ${outlivesPage}::boolean or (m.keep_history and m.hide_price_after_hours is null))`;
  return rows.map(asOffer);
}
