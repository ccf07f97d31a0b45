import type { CardDeal } from '#app/features/deals/card-deal.ts';
import type { DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import { productTags } from '#app/features/deals/page-tags.ts';
import { noteShownPictures } from '#app/features/pictures/note-shown-pictures.server.ts';
import type { ClaimingSite } from '#app/features/prices/price-claims.ts';
import { type PricedDeal, priceDeals } from '#app/features/prices/price-deals.server.ts';
import { type AppServices, cacheValue } from '#app/platform/app-context.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import type { Db } from '#database/connect.ts';
import { allOffers, compareOffers, storesFrom } from './compare-offers.ts';
import { formatFrom } from './offer-words.ts';
import { readOffers } from './offer-queries.server.ts';

/**
 * Returns a page's cards with the stores of their products, and records that their pictures are
 * shown.
 */
export async function showDeals(
  services: Pick<AppServices, 'db' | 'env' | 'log' | 'readCached'>,
  deals: DealSummary[],
  site: ClaimingSite,
  now: Date,
): Promise<PricedDeal[]> {
  noteShownPictures(services, deals);
  const [priced, stores] = await Promise.all([
    priceDeals(services.db, deals, site, now),
    readStores(services, deals, site.currency, now),
  ]);
  return priced.map((one) => {
    const shown = stores.get(one.deal.id);
    return shown ? { ...one, deal: { ...one.deal, stores: shown } } : one;
  });
}

type StoresById = Map<number, NonNullable<CardDeal['stores']>>;

/** Caches the stores of a page's products, since reading their offers costs as much as its deals. */
function readStores(
  services: Pick<AppServices, 'db' | 'readCached'>,
  deals: readonly DealSummary[],
  currency: string,
  now: Date,
): Promise<StoresById> {
  const tags = productTags(deals.flatMap(({ product_id: id }) => id ?? []));
  const read = () => describeStores(services.db, deals, currency, now);
  if (tags.length === 0) return Promise.resolve(new Map());
  return cacheValue(services, `stores ${currency} ${deals.map(({ id }) => id).join()}`, tags, read);
}

/**
 * Returns a text such as "4 stores from $79.99 plus shipping" for each deal whose product two or
 * more stores offer in the deal's condition. For an expired deal, the product's best condition is
 * used.
 */
async function describeStores(
  db: Db,
  deals: readonly DealSummary[],
  currency: string,
  now: Date,
): Promise<StoresById> {
  const found: StoresById = new Map();
  const products = deals.map(({ product_id: product }) => product);
  const offers = await readOffers(db, products);
  for (const [product, own] of Map.groupBy(offers, (offer) => offer.product_id)) {
    const slug = own[0]?.slug ?? '';
    const compared = compareOffers(own, now);
    const all = allOffers(compared);
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
