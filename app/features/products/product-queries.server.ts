import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { mayBeSlug } from '#database/slug.ts';
import { liveScope } from '#app/features/deals/deal-conditions.server.ts';
import { type DealSummary, listDealsByIds } from '#app/features/deals/deal-list-queries.server.ts';
import type { PriceStep } from '#app/features/prices/lay-out-price-chart.ts';
import { labelVariants } from './label-variants.ts';

/** maximum number of offers on a page */
export const mostOffers = 200;
/** maximum number of variants on a product's page */
const mostVariants = 50;
/** maximum number of prices of an offer in its chart */
const mostSteps = 200;

export interface Product {
  id: number;
  slug: string;
  title: string;
  /** The smallest of its GTINs. */
  gtin: string | null;
  offers: DealSummary[];
}

type ProductRow = Omit<Product, 'offers'> & { ids: number[] };

/** The columns of `products p`, and the ids of its live offers. */
const productColumns = sql`p.id, p.slug, p.title,
  (select min(g.gtin) from product_gtins g where g.product_id = p.id) as gtin, array(
    select d.id from deals d where d.product_id = p.id and ${liveScope} order by d.id limit ${mostOffers}) as ids`;

/** A product or variant, as linked from the others' pages. */
export interface Variant {
  id: number;
  slug: string;
  label: string;
  /** The lowest price of a new item without shipping, or `null` if none may be shown. */
  from: number | null;
}

/** A product as shown on its page. */
export interface ProductPage extends Product {
  /** Whether no offer is live, so that the offers are ended ones. */
  isEnded: boolean;
  /** The product among its variants. All others have live offers. */
  variants: Variant[];
  /** The ids of all these products. If one changes, the page is outdated. */
  familyIds: number[];
  /** The time when the first offer of the other products expires. */
  familyEnd: Date | null;
}

interface FamilyRow extends Omit<Variant, 'label'> {
  title: string;
  label: string | null;
  isLive: boolean;
  end: string | null;
}

/** Returns a product with its live offers, or `null` if it has none. */
export async function findProductBySlug(db: Db, slug: string): Promise<Product | null> {
  if (!mayBeSlug(slug)) return null;
  const row = await ask(db).row<ProductRow>`/* often */
    select ${productColumns} from products p where p.slug = ${slug}`;
  if (!row || row.ids.length === 0) return null;
  const { ids, ...product } = row;
  return { ...product, offers: await listDealsByIds(db, ids) };
}

/** Returns the slug of the product that a deal is an offer of, or `null`. */
export function findProductAddress(db: Db, dealId: number): Promise<string | null> {
  return ask(db).value<string>`
    select p.slug from deals d join products p on p.id = d.product_id where d.id = ${dealId}`;
}

/**
 * Returns a product with its live offers, or with ended offers if none is live. Returns `null` if
 * it has no offers.
 */
export async function findProductPage(
  db: Db,
  wanted: { slug: string } | { id: number },
): Promise<ProductPage | null> {
  if ('slug' in wanted && !mayBeSlug(wanted.slug)) return null;
  const condition =
    'slug' in wanted ? sql`p.slug = ${wanted.slug}` : sql`p.id = ${wanted.id}::bigint`;
  const row = await ask(db).row<ProductRow & { ended: number[]; family: FamilyRow[] }>`/* often */
    select ${productColumns},
      array(
        select d.id from deals d where d.product_id = p.id and d.is_active and (d.is_expired or d.expires_at <= now())
         order by d.expires_at desc, d.id limit ${mostOffers}) as ended,
      array(
        select jsonb_build_object('id', v.id, 'slug', v.slug, 'title', v.title, 'label', v.variant_label,
                                  'from', offer.price, 'isLive', offer.count > 0, 'end', offer.ends)
          from products v
          cross join lateral (
            select count(*) as count, min(d.expires_at) as ends, min(d.sale_price) filter (
                     where d.status = 'new' and d.availability <> 'out_of_stock' and m.hide_price_after_hours is null) as price
              from (select * from deals where product_id = v.id and ${liveScope} order by id limit ${mostOffers}) d
              join merchants m on m.id = d.merchant_id) offer
         where v.id = coalesce(p.variant_of, p.id) or v.variant_of = coalesce(p.variant_of, p.id)
         order by v.variant_of is not null, v.id limit ${mostVariants}) as family
      from products p where ${condition}`;
  if (!row) return null;
  const { ids, ended, family, ...product } = row;
  const offers = await listDealsByIds(db, ids.length > 0 ? ids : ended);
  if (offers.length === 0) return null;
  const ends = family.flatMap(({ end }) => (end === null ? [] : [Date.parse(end)]));
  const shown = family.filter(({ id, isLive }) => isLive || id === product.id);
  const labels = labelVariants(shown);
  const variants = shown.map(({ id, slug, from }, n) => ({
    id,
    slug,
    from,
    label: labels[n] ?? '',
  }));
  return {
    ...product,
    offers,
    isEnded: ids.length === 0,
    variants: variants.length > 1 ? variants : [],
    familyIds: family.map(({ id }) => id),
    familyEnd: ends.length > 0 ? new Date(Math.min(...ends)) : null,
  };
}

/** The lowest price that the site saw for any of some deals. */
export interface LowestPrice {
  /** The id of the deal. */
  id: number;
  price: number;
  store: string;
  at: Date;
}

/** Returns the lowest of the deals' stored lows, with its store and last day, or `null`. */
export async function findLowestPrice(db: Db, ids: number[]): Promise<LowestPrice | null> {
  return ask(db).row<LowestPrice>`
    select low.id, low.price, low.store, seen.at
      from (select p.lowest_ever as price, m.name as store, d.id
              from deals d
              join price_proofs p on p.deal_id = d.id and p.currency = d.currency
              join merchants m on m.id = d.merchant_id and m.keep_history
             where d.id = any(${ids}::bigint[]) and p.lowest_ever is not null
             order by p.lowest_ever, d.id limit 1) low
      cross join lateral (
        select at from valid_prices l
         where l.deal_id = low.id and l.sale_price = low.price and l.availability <> 'out_of_stock'
         order by at desc limit 1) seen`;
}

/**
 * Returns the prices of some deals since `from`, oldest first, including the one in force at that
 * time. Deals of stores that forbid tracking have none.
 */
export async function readOfferPrices(
  db: Db,
  ids: number[],
  from: Date,
): Promise<Map<number, PriceStep[]>> {
  const rows = await ask(db).rows<PriceStep & { id: number }>`
    select d.id, l.at, l.sale_price as price, l.availability <> 'out_of_stock' as "isOffer"
      from deals d
      join merchants m on m.id = d.merchant_id and m.keep_history
      cross join lateral (
        select * from valid_prices l
         where l.deal_id = d.id and l.at >= coalesce(
           (select max(o.at) from valid_prices o where o.deal_id = d.id and o.at < ${from}::timestamptz), '-infinity')
         order by l.at desc, l.id desc limit ${mostSteps}) l
     where d.id = any(${ids}::bigint[]) order by l.at, l.id`;
  return Map.groupBy(rows, ({ id }) => id);
}

/** Returns products with offers from two or more stores, for the sitemap. */
export function listProductAddresses(db: Db, limit: number) {
  return ask(db).rows<{ slug: string; updated_at: Date }>`
    select p.slug, found.updated_at from products p
      cross join lateral (
        select max(d.updated_at) as updated_at from deals d
         where d.product_id = p.id and ${liveScope} having count(distinct d.merchant_id) > 1) found
     order by p.id limit ${limit}`;
}
