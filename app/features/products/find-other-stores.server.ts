import { sql } from 'kysely';
import { liveScope } from '#app/features/deals/deal-conditions.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { Availability, DealCondition, DealStatus } from '#database/schema/catalog-tables.ts';
import { alsoAt, type StoresFrom } from './compare-offers.ts';

/** The offers of a deal's product at other stores, in the deal's condition class. */
export interface OtherStores extends StoresFrom {
  /** The slug of the product. */
  slug: string;
}

interface Row {
  id: number;
  product: number;
  slug: string;
  status: DealStatus;
  condition: DealCondition | null;
  availability: Availability;
  sale_price: number;
  shipping_cost: number | null;
  price_checked_at: Date;
  merchant: {
    id: number;
    free_shipping_over: number | null;
    standard_shipping: number | null;
    hide_price_after_hours: number | null;
  };
}

/** offers of a product that are compared at most */
const mostOffers = 200;

const columns = sql`d.id, p.id as product, p.slug, d.status, d.condition, d.availability, d.sale_price, d.shipping_cost,
  greatest(d.price_checked_at, (select checked_at from deal_price_checks k where k.deal_id = d.id)) as price_checked_at,
  json_build_object('id', m.id, 'free_shipping_over', m.free_shipping_over, 'standard_shipping', m.standard_shipping,
                    'hide_price_after_hours', m.hide_price_after_hours) as merchant`;

/**
 * Returns the offers of other stores for each of the deals that has any, by its id. Without a time
 * they suit texts that outlive a page, such as emails: stores that forbid outdated prices or price
 * tracking are left out.
 */
export async function findOtherStores(
  db: Db,
  ids: readonly number[],
  now: Date | null,
): Promise<Map<number, OtherStores>> {
  const own = await ask(db).rows<Row>`/* often */
    select ${columns} from deals d join products p on p.id = d.product_id join merchants m on m.id = d.merchant_id
     where d.id = any(${ids}::bigint[])`;
  if (own.length === 0) return new Map();
  const offers = await ask(db).rows<Row>`/* often */
    select ${columns} from products p
      cross join lateral (
        select * from deals where product_id = p.id and ${liveScope} order by id limit ${mostOffers}) d
      join merchants m on m.id = d.merchant_id
     where p.id = any(${[...new Set(own.map(({ product }) => product))]}::bigint[])
       and (${now !== null} or (m.keep_history and m.hide_price_after_hours is null))`;
  const byProduct = Map.groupBy(offers, ({ product }) => product);
  return new Map(
    own.flatMap((deal) => {
      const best = alsoAt(deal, byProduct.get(deal.product) ?? [], now ?? new Date());
      return best ? [[deal.id, { ...best, slug: deal.slug }] as const] : [];
    }),
  );
}
