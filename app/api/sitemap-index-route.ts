import type { Route } from './+types/sitemap-index-route';
import { listDealRanges } from '#app/features/deals/deal-feed-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { answerSitemapIndex, urlsInSitemap } from './sitemap-xml.server.ts';

export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const { db, env } = appServices(context);
  const ranges = await listDealRanges(db, urlsInSitemap);
  // Ranges without a live deal have no sitemap part.
  return answerSitemapIndex(env.origin, [
    'pages.xml',
    'categories.xml',
    'merchants.xml',
    'products.xml',
    'blog.xml',
    ...ranges.map((range) => `deals-${range}.xml`),
  ]);
}
