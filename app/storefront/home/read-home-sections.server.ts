import { listLatestPosts } from '#app/features/blog/blog-queries.server.ts';
import { cachedCategories } from '#app/features/categories/category-queries.server.ts';
import {
  listFeaturedDeals,
  listRecentDeals,
} from '#app/features/deals/deal-list-queries.server.ts';
import { listFeaturedMerchants } from '#app/features/merchants/merchant-queries.server.ts';
import { renderMarkdown } from '#app/features/pages/render-markdown.server.ts';
import { findPictureAt } from '#app/features/pictures/library-queries.server.ts';
import { type HomeSectionName, homeSectionsOf } from '#app/features/site-settings/home-sections.ts';
import { cachedFigures } from '#app/features/site-settings/site-figures.server.ts';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';
import { type AppServices, cacheValue } from '#app/platform/app-context.server.ts';

/** The owner's block as the home page shows it. */
export interface OwnBlock {
  html: string;
  picture: { address: string; alt: string; width: number; height: number } | null;
}

/**
 * Returns the visible sections in their order, with the content of each. Hidden sections are empty.
 */
export async function readHomeSections(services: AppServices, settings: SiteSettings) {
  const { db } = services;
  const sections = homeSectionsOf(settings.homeSections)
    .filter(({ isOn }) => isOn)
    .map(({ name }) => name);
  const when = async <Row>(name: HomeSectionName, read: () => Promise<Row[]>) =>
    sections.includes(name) ? read() : [];
  const [featured, recent, categories, merchants, posts, figures, own] = await Promise.all([
    when('featured', () => listFeaturedDeals(services, 6)),
    when('recent', () => listRecentDeals(services, 6)),
    when('categories', async () => (await cachedCategories(services)).slice(0, 8)),
    when('merchants', () =>
      cacheValue(services, 'featured stores', ['deals'], () => listFeaturedMerchants(db, 8)),
    ),
    when('posts', () =>
      cacheValue(services, 'latest posts', ['blog'], () => listLatestPosts(db, 3)),
    ),
    when('stats', () => cachedFigures(services, settings)),
    sections.includes('own') ? readOwnBlock(services, settings) : null,
  ]);
  const titles = settings.homeTitles;
  return { sections, titles, featured, recent, categories, merchants, posts, figures, own };
}

async function readOwnBlock(
  { db, env }: AppServices,
  { homeBlock: { content, pictureUrl, pictureAlt } }: SiteSettings,
): Promise<OwnBlock | null> {
  const html = renderMarkdown(content, env.origin);
  const found = pictureUrl === '' ? null : await findPictureAt(db, pictureUrl);
  const picture = found && { ...found, alt: pictureAlt };
  return html === '' && picture === null ? null : { html, picture };
}
