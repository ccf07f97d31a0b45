import { findDealByLink } from '#app/features/search/find-typed-address.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { ListedProduct } from './listed-product.ts';

/**
 * The maximum number of Amazon marketplaces, those with the most deals; an owner rarely has more.
 */
const mostStores = 4;

/**
 * Finds deals of Amazon stores by ASIN, which is their id in a feed or in the short URL of the
 * product's page. A product from a known marketplace matches only that store.
 */
export async function findDealsByAsin(
  db: Db,
  products: readonly ListedProduct[],
): Promise<Map<ListedProduct, number>> {
  const named = products.filter(({ asin }) => asin !== '');
  const found = new Map<ListedProduct, number>();
  if (named.length === 0) return found;
  const stores = await ask(db).rows<{ id: number; locale: string }>`
    select id, locale from (
      select id, deal_count, substring(lower(website_url) from '^https?://(?:[a-z]+[.])?amazon[.]([a-z.]+)') as locale
        from merchants) store
     where locale is not null order by deal_count desc, id limit ${mostStores}`;
  const asins = [...new Set(named.map(({ asin }) => asin))];
  const deals = await ask(db).rows<{ id: number; store: number; asin: string }>`
    select d.id, d.merchant_id as store, d.external_id as asin
      from unnest(${stores.map(({ id }) => id)}::bigint[]) store (id)
      join deals d on d.merchant_id = store.id and d.external_id = any(${asins}::text[])
     where d.is_active order by d.is_expired, d.sale_price, d.id`;
  for (const product of named) {
    const suitable = stores.filter(({ locale }) => ['', locale].includes(product.locale));
    const deal = deals.find(
      ({ store, asin }) => asin === product.asin && suitable.some(({ id }) => id === store),
    );
    const id = deal?.id ?? (await findByShortLink(db, product.asin, suitable));
    if (id !== null) found.set(product, id);
  }
  return found;
}

async function findByShortLink(
  db: Db,
  asin: string,
  stores: readonly { locale: string }[],
): Promise<number | null> {
  for (const { locale } of stores) {
    for (const rest of [`/dp/${asin}`, `/gp/product/${asin}`]) {
      const deal = await findDealByLink(db, { host: `amazon.${locale}`, rest });
      if (deal) return deal.id;
    }
  }
  return null;
}
