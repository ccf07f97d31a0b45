import type { PostSummary } from '#app/features/blog/post-summary.ts';
import type { Category } from '#app/features/categories/category-queries.server.ts';
import { listDeals } from '#app/features/deals/deal-list-queries.server.ts';
import type { Merchant } from '#app/features/merchants/merchant-queries.server.ts';
import { type StoreCheck, summariseCheck } from '#app/features/prices/discount-check.ts';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { longDate } from '#app/platform/time-words.ts';
import {
  describePicture,
  type ShareCard,
  type ShareKind,
  sharePicturePath,
} from './share-card.server.ts';

/** The share picture for the head of a page, with its contents. */
interface SharedPage {
  image: ReturnType<typeof describePicture>;
  card: ShareCard;
}

/**
 * Returns the share picture of a category, without pictures of deals. The pictures don't change its
 * URL, since a cached page of the category may not show these deals. The share picture shows no
 * price, so that it stays true for longer.
 */
export function shareCategory(
  { id, name, deal_count }: Pick<Category, 'id' | 'name' | 'deal_count'>,
  settings: SiteSettings,
): SharedPage {
  const loud = countLive(deal_count);
  const shown = { title: name, loud, text: '', pictures: [], layout: 'row' } as const;
  return sharePage('category', id, shown, settings);
}

/**
 * Returns the stored pictures of up to three of a category's newest deals. Pictures that are not
 * stored cannot be drawn.
 * The list is the category page's, so both use one cached value.
 */
export async function listNewestPictures(
  services: AppServices,
  categoryId: number,
  { priceClaims }: SiteSettings,
): Promise<string[]> {
  const list = { filter: { categoryId }, sort: 'newest', page: 1, priceClaims } as const;
  const { deals } = await listDeals(services, list);
  return deals
    .filter((deal) => !deal.is_expired)
    .map(({ picture }) => picture ?? '')
    .filter((picture) => picture.startsWith('/media/'))
    .slice(0, 3);
}

/** Returns the share picture of a store, with the verdict of its discount check. */
export function shareMerchant(
  { id, name, logo_url, deal_count }: Pick<Merchant, 'id' | 'name' | 'logo_url' | 'deal_count'>,
  check: StoreCheck | null,
  settings: SiteSettings,
): SharedPage {
  const text = check && check.checked > 0 ? `${summariseCheck(check)}.` : '';
  const pictures = logo_url === null ? [] : [logo_url];
  const loud = countLive(deal_count);
  return sharePage('merchant', id, { title: name, loud, text, pictures, layout: 'page' }, settings);
}

/** Returns the share picture of a post. */
export function sharePost(
  {
    id,
    title,
    featured_image_url,
    shown_at,
  }: Pick<PostSummary, 'id' | 'title' | 'featured_image_url' | 'shown_at'>,
  settings: SiteSettings,
): SharedPage {
  const text = longDate(shown_at, settings.timeZone);
  const pictures = featured_image_url === null ? [] : [featured_image_url];
  return sharePage('post', id, { title, loud: '', text, pictures, layout: 'page' }, settings);
}

const countLive = (count: number) => (count === 0 ? '' : countNoun(count, 'live deal'));

function sharePage(
  kind: ShareKind,
  id: number,
  shown: Omit<ShareCard, 'loudSize' | 'aside' | 'lineName' | 'site'>,
  { siteName, accent, logoUrl }: ShareCard['site'],
): SharedPage {
  const site = { siteName, accent, logoUrl };
  const card: ShareCard = { ...shown, loudSize: 44, aside: '', lineName: 'Price', site };
  const alt = [card.title, card.loud, card.text]
    .filter((text) => text !== '')
    .reduce((before, text) => `${before}${/[.!?…]$/.test(before) ? '' : '.'} ${text}`);
  return { image: describePicture(sharePicturePath(kind, id, card), alt), card };
}
