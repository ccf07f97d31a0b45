import { sql } from 'kysely';
import type { Tx } from '#database/connect.ts';
import { dealSlug } from '#database/slug.ts';

/** Adds a product for each GTIN that has none. The slug ends with the GTIN, so it is unique. */
export async function addProducts(
  tx: Tx,
  products: readonly { gtin: string; title: string }[],
): Promise<void> {
  await sql`
    insert into products (gtin, slug, title)
      select * from unnest(${products.map(({ gtin }) => gtin)}::text[],
                           ${products.map(({ gtin, title }) => `${dealSlug(title) || 'product'}-${gtin}`)}::text[],
                           ${products.map(({ title }) => title)}::text[])
    on conflict (gtin) do nothing`.execute(tx);
}
