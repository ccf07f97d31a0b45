import type { CardDeal } from '#app/features/deals/card-deal.ts';
import { liveScope } from '#app/features/deals/deal-conditions.server.ts';
import type { DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import { noteShownPictures } from '#app/features/pictures/note-shown-pictures.server.ts';
import type { ClaimingSite } from '#app/features/prices/price-claims.ts';
import { type PricedDeal, priceDeals } from '#app/features/prices/price-deals.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { compareOffers, storesFrom } from './compare-offers.ts';
import { formatFrom } from './format-from.ts';
import { mostOffers } from './product-queries.server.ts';

/**
 * Returns a page's cards with the stores of their products, and records that their pictures are
 * shown.
 */
export async function showDeals(
  services: Pick<AppServices, 'db' | 'env' | 'log'>,
  deals: DealSummary[],
  site: ClaimingSite,
  now: Date,
): Promise<PricedDeal[]> {
  noteShownPictures(services, deals);
  const [priced, stores] = await Promise.all([
    priceDeals(services.db, deals, site, now),
    describeStores(services.db, deals, site.currency, now),
  ]);
  return priced.map((one) => {
    const shown = stores.get(one.deal.id);
    return shown ? { ...one, deal: { ...one.deal, stores: shown } } : one;
  });
}

/**
 * Returns "4 stores from $79.99 plus shipping" for each deal whose product two stores or more have
 * on offer in the deal's condition. An expired deal has the product's best condition.
 */
async function describeStores(
  db: Db,
  deals: readonly DealSummary[],
  currency: string,
  now: Date,
): Promise<Map<number, NonNullable<CardDeal['stores']>>> {
  const products = deals.flatMap(({ product_id: product }) => (product === null ? [] : [product]));
  const found = new Map<number, NonNullable<CardDeal['stores']>>();
  if (products.length === 0) return found;
  const offers = await readOffers(db, [...new Set(products)]);
  for (const [product, own] of Map.groupBy(offers, (offer) => offer.product_id)) {
    const slug = own[0]?.slug ?? '';
    const compared = compareOffers(own, now);
    const all = [...compared.ranked, ...compared.unstated, ...compared.others];
    for (const { id, product_id } of deals) {
      if (product_id !== product) continue;
      const condition = all.find(({ deal }) => deal.id === id)?.condition ?? compared.condition;
      const best = storesFrom(compared, condition);
      const stores = best?.isTotal ? best.compared : best?.stores;
      if (!best || !stores || stores < 2) continue;
      const text = `${countNoun(stores, 'store')} from ${formatFrom(best, currency)}`;
      found.set(id, { slug, text });
    }
  }
  return found;
}

type CardOffer = Parameters<typeof compareOffers>[0][number] & {
  product_id: number;
  slug: string;
};

type OfferRow = Omit<CardOffer, 'merchant'> & { merchant_id: number } & Omit<
    CardOffer['merchant'],
    'id'
  >;

/** Reads what a comparison needs of the live offers of some products. */
async function readOffers(db: Db, products: number[]): Promise<CardOffer[]> {
  const rows = await ask(db).rows<OfferRow>`/* often */
    select p.id as product_id, p.slug, d.id, d.sale_price, d.shipping_cost, d.status, d.condition, d.availability,
           greatest(d.price_checked_at, (select k.checked_at from deal_price_checks k where k.deal_id = d.id)) as price_checked_at,
           d.merchant_id, m.free_shipping_over, m.standard_shipping, m.hide_price_after_hours
      from products p
      cross join lateral (
        select * from deals where product_id = p.id and ${liveScope} order by id limit ${mostOffers}) d
      join merchants m on m.id = d.merchant_id
     where p.id = any(${products}::bigint[])`;
  return rows.map(
    ({ merchant_id, free_shipping_over, standard_shipping, hide_price_after_hours, ...offer }) => ({
      ...offer,
      merchant: { id: merchant_id, free_shipping_over, standard_shipping, hide_price_after_hours },
    }),
  );
}
