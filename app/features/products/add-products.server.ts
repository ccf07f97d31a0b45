import { ask } from '#database/ask.ts';
import type { Tx } from '#database/connect.ts';
import { dealSlug } from '#database/slug.ts';

/**
 * Adds a product for each GTIN. None of them may have one already. The slug ends with the GTIN, or
 * with the id if a former product of the GTIN has that slug. Returns the products by GTIN.
 */
export async function addProducts(
  tx: Tx,
  products: readonly { gtin: string; title: string }[],
): Promise<Map<string, number>> {
  const rows = await ask(tx).rows<{ gtin: string; product_id: number }>`
    with given as (
      select nextval(pg_get_serial_sequence('products', 'id')) as id, g.*
        from unnest(${products.map(({ gtin }) => gtin)}::text[], ${products.map(({ title }) => productSlug(title))}::text[],
                    ${products.map(({ title }) => title)}::text[]) as g (gtin, slug, title)
    ), added as (
      insert into products (id, slug, title) overriding system value
        select id, slug || case when exists (select from products p where p.slug = g.slug || '-' || g.gtin)
                                then '-p' || id else '-' || gtin end, title from given g
    )
    insert into product_gtins (gtin, product_id) select gtin, id from given returning gtin, product_id`;
  return new Map(rows.map(({ gtin, product_id }) => [gtin, product_id]));
}

/** Adds a product without a GTIN and returns its id, which is also the end of its slug. */
export async function addProduct(tx: Tx, title: string): Promise<number> {
  return (
    (await ask(tx).value<number>`
      insert into products (id, slug, title) overriding system value
        select id, ${`${productSlug(title)}-p`}::text || id, ${title}
          from nextval(pg_get_serial_sequence('products', 'id')) id returning id`) ?? 0
  );
}

/** Returns the shortest title, which contains the least advertising. */
export function shortestTitle(titles: readonly string[]): string {
  const [first = '', ...others] = titles;
  return others.reduce((best, one) => (one.length < best.length ? one : best), first);
}

const productSlug = (title: string) => dealSlug(title) || 'product';
