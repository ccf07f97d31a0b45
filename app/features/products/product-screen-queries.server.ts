import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { storedGtin } from '#app/features/deals/gtin.ts';
import type { ProductAct } from './change-products.server.ts';

/** maximum number of offers, acts and found products on a screen */
const most = { offers: 200, acts: 30, found: 20 };

/** An offer of a product, with the data for staff. */
export interface OfferOfProduct {
  id: number;
  title: string;
  merchant: string;
  sale_price: number;
  currency: string;
  gtin: string | null;
  isLive: boolean;
  isConfirmed: boolean;
  /** The name of the person who linked the deal. */
  by: string | null;
  at: Date | null;
}

/** A change to a product by staff. */
export interface ActOfProduct {
  id: number;
  kind: ProductAct['kind'];
  /** The kind of the undone act, if this is an undo. */
  undoes: ProductAct['kind'] | null;
  isUndone: boolean;
  by: string;
  at: Date;
  deal: string | null;
  other: string | null;
  gtin: string | null;
}

/** A product with the data for staff, even if it has no offers. */
interface ProductScreen {
  id: number;
  slug: string;
  title: string;
  mergedInto: { id: number; title: string } | null;
  gtins: string[];
  offers: OfferOfProduct[];
  acts: ActOfProduct[];
}

/** Returns everything about a product that staff can change, or `null`. */
export async function readProductScreen(db: Db, id: number): Promise<ProductScreen | null> {
  const product = await ask(db).row<Omit<ProductScreen, 'offers' | 'acts'>>`
    select p.id, p.slug, p.title,
           (select json_build_object('id', m.id, 'title', m.title) from products m
             where p.merged_into is not null and m.id = current_product(p.id)) as "mergedInto",
           array(select g.gtin from product_gtins g where g.product_id = p.id order by g.gtin) as gtins
      from products p where p.id = ${id}`;
  if (!product) return null;
  const offers = await ask(db).rows<OfferOfProduct>`
    select d.id, d.title, m.name as merchant, d.sale_price, d.currency, d.gtin,
           d.is_active and not d.is_expired as "isLive", d.product_confirmed as "isConfirmed",
           case when d.product_confirmed then coalesce(nullif(u.full_name, ''), u.email, l.actor) end as by, l.at
      from deals d
      join merchants m on m.id = d.merchant_id
      left join lateral (
        select * from product_links l where l.deal_id = d.id order by l.id desc limit 1) l on true
      left join users u on u.id = l.actor
     where d.product_id = ${id} order by d.id limit ${most.offers}`;
  return { ...product, offers, acts: await listActs(db, id) };
}

function listActs(db: Db, product: number): Promise<ActOfProduct[]> {
  return ask(db).rows<ActOfProduct>`
    select a.id, a.kind, undone.kind as undoes, coalesce(nullif(u.full_name, ''), u.email, a.actor) as by, a.at, o.title as other,
           exists (select from product_acts x where x.undoes = a.id) as "isUndone",
           (select d.title from deals d where d.id = (a.changes #>> '{deals,0,id}')::bigint) as deal,
           a.changes #>> '{gtins,0,gtin}' as gtin
      from product_acts a
      left join product_acts undone on undone.id = a.undoes
      left join products o on o.id = case when a.other_id = ${product} then a.product_id else a.other_id end
      left join users u on u.id = a.actor
     where a.product_id = ${product} or a.other_id = ${product}
     order by a.id desc limit ${most.acts}`;
}

/** A product that a deal can be linked to. */
export interface FoundProduct {
  id: number;
  slug: string;
  title: string;
  offers: number;
}

/** Returns the products with this URL, id or GTIN, or else those whose title contains all words. */
export async function findProducts(db: Db, asked: string): Promise<FoundProduct[]> {
  const text = asked.trim();
  if (text === '' || /\p{Cc}/u.test(text)) return [];
  const slug = /\/products\/([^/?#]+)/.exec(text)?.[1] ?? null;
  const words = text.toLowerCase().split(/\s+/).slice(0, 10);
  const exact = await readFound(
    db,
    sql`id in (
      select current_product(id) from products where slug = ${slug ?? text} or id = ${parseRowId(text)}
      union select product_id from product_gtins where gtin = ${storedGtin(text)})`,
  );
  if (exact.length > 0 || slug !== null) return exact;
  return readFound(
    db,
    sql`not exists (select from unnest(${words}::text[]) word where position(word in lower(p.title)) = 0)`,
  );
}

function readFound(db: Db, condition: ReturnType<typeof sql>): Promise<FoundProduct[]> {
  return ask(db).rows<FoundProduct>`
    select p.id, p.slug, p.title, (select count(*)::int from deals d where d.product_id = p.id) as offers
      from products p where p.merged_into is null and ${condition} order by p.id limit ${most.found}`;
}
