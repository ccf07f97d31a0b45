import type { Db } from '#database/connect.ts';
import { alsoAt, type StoresFrom } from './compare-offers.ts';
import { readLinkedDeals, readOffers } from './offer-queries.server.ts';

/** A summary of the offers of a deal's product at other stores, in the deal's condition class. */
export interface OtherStores extends StoresFrom {
  /** The slug of the product. */
  slug: string;
}

/**
 * Returns a summary of offers at other stores, by deal id, for deals that have any. Without a
 * time, the summary suits texts that outlive a page, such as emails.
 */
export async function findOtherStores(
  db: Db,
  ids: readonly number[],
  now: Date | null,
): Promise<Map<number, OtherStores>> {
  const own = await readLinkedDeals(db, ids);
  const products = own.map(({ product_id }) => product_id);
  const offers = await readOffers(db, products, { outlivesPage: now === null });
  const byProduct = Map.groupBy(offers, ({ product_id }) => product_id);
  return new Map(
    own.flatMap((deal) => {
      const best = alsoAt(deal, byProduct.get(deal.product_id) ?? [], now ?? new Date());
      return best ? [[deal.id, { ...best, slug: deal.slug }] as const] : [];
    }),
  );
}
