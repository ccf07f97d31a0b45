import { listLiveCoupons } from '#app/features/coupons/coupon-queries.server.ts';
import type { ListedCoupon } from '#app/features/coupons/describe-coupon.ts';
import { listDealsByIds } from '#app/features/deals/deal-list-queries.server.ts';
import type { DigestContent } from '#app/features/newsletter/digest-content.ts';
import { describeDeals } from '#app/features/newsletter/write-digest.server.ts';
import { noteMailedPictures } from '#app/features/pictures/note-shown-pictures.server.ts';
import { priceDeals } from '#app/features/prices/price-deals.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { shortTime } from '#app/platform/time-words.ts';
import type { Db } from '#database/connect.ts';
import { readProductNews, type ProductFall } from './read-product-news.server.ts';
import { findSearchNews, type SearchNews } from './watched-search-queries.server.ts';

/** The number of new deals that an email shows. The linked list has all of them. */
const mostShown = 8;

export interface NewsToTell
  extends Pick<SearchNews, 'id' | 'name' | 'address' | 'watcherId'>, DigestContent {
  /** The number of all new deals. */
  count: number;
  /** New coupons of the watched store. */
  coupons: ListedCoupon[];
  /** The price drop of a watched product. `deals` are its lowest offers. */
  fall: ProductFall | null;
}

/**
 * Returns the current finds of a search for one of its emails, without deals that expired or exceed
 * the price limit. Coupons that are not live are left out, too. Returns `null` if nothing is left,
 * or the search was stopped. `sentFrom` is the site's origin if the email is sent now.
 */
export async function readSearchNews(
  db: Db,
  searchId: number,
  mail: number,
  couponIds: readonly number[] = [],
  sentFrom: string | null = null,
): Promise<NewsToTell | null> {
  const news = await findSearchNews(db, searchId, mail);
  if (!news) return null;
  const { product, max_price: max, id, name, watcherId } = news;
  const settings = await readSiteSettings(db);
  const now = new Date();
  const ofProduct =
    product && (await readProductNews(db, product, { max, currency: settings.currency, now }));
  const there = product ? (ofProduct?.deals ?? []) : await findDeals(db, news);
  const shown = there.slice(0, mostShown);
  if (sentFrom !== null) await noteMailedPictures(db, shown, sentFrom);
  const priced = await priceDeals(db, shown, settings, now);
  const deals = await describeDeals(db, priced, settings.currency);
  const coupons = couponIds.length > 0 ? await listLiveCoupons(db, couponIds, now) : [];
  if (deals.length === 0 && coupons.length === 0) return null;
  const writtenAt = shortTime(now, settings.timeZone);
  const address = product ? `/products/${product.slug}` : news.address;
  const fall = ofProduct?.fall ?? null;
  return { id, name, address, watcherId, count: there.length, deals, coupons, writtenAt, fall };
}

/** Returns the finds that are still live at a matching price. */
async function findDeals(db: Db, { dealIds, min_price, max_price }: SearchNews) {
  return (await listDealsByIds(db, dealIds)).filter(
    (deal) =>
      !deal.is_expired &&
      deal.sale_price >= (min_price ?? 0) &&
      deal.sale_price <= (max_price ?? deal.sale_price),
  );
}
