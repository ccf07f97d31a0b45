import type { Route } from './+types/home-page';
import { BlogCard } from '#app/features/blog/blog-card.tsx';
import { listLatestPosts } from '#app/features/blog/blog-queries.server.ts';
import { CategoryTile } from '#app/features/categories/category-tile.tsx';
import { cachedCategories } from '#app/features/categories/category-queries.server.ts';
import dealGrid from '#app/features/deals/deal-grid.module.css';
import {
  listBestDeals,
  listFeaturedDeals,
  listRecentDeals,
} from '#app/features/deals/deal-list-queries.server.ts';
import { dealTags, firstEnd } from '#app/features/deals/page-tags.ts';
import { MerchantTile } from '#app/features/merchants/merchant-tile.tsx';
import { listFeaturedMerchants } from '#app/features/merchants/merchant-queries.server.ts';
import { showDeals } from '#app/features/prices/price-deals.server.ts';
import {
  cacheTagsOfFigures,
  cachedFigures,
  cachedHero,
} from '#app/features/site-settings/site-figures.server.ts';
import { cachedSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { Slot } from '#app/features/slots/slot.tsx';
import { allowPageCache, appServices, cacheValue } from '#app/platform/app-context.server.ts';
import { PricedDealCard } from '#app/features/prices/priced-deal-card.tsx';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { DealActions } from '#app/storefront/chrome/deal-actions.tsx';
import { TitledSection } from '#app/ui/titled-section.tsx';
import { FallbackHome } from './fallback-home.tsx';
import { HomeHero } from './home-hero.tsx';
import { homeJsonLd } from './home-json-ld.ts';
import { StayUpdated } from './stay-updated.tsx';
import { StatsBand } from './stats-band.tsx';
import styles from './home-page.module.css';
import { WhyChoose } from './why-choose.tsx';

export async function loader({ context }: Route.LoaderArgs) {
  const services = appServices(context);
  const { db } = services;
  const settings = await cachedSettings(services);
  const [best, featured, recent, categories, merchants, posts, figures, hero] = await Promise.all([
    listBestDeals(services, 6),
    listFeaturedDeals(services, 6),
    listRecentDeals(services, 6),
    cachedCategories(services),
    cacheValue(services, 'featured stores', ['deals'], () => listFeaturedMerchants(db, 8)),
    cacheValue(services, 'latest posts', ['blog'], () => listLatestPosts(db, 3)),
    cachedFigures(services, settings),
    cachedHero(services, settings),
  ]);
  const time = services.now();
  const shown = [...best, ...featured, ...recent];
  const priced = await showDeals(services, shown, settings, time);
  const othersAt = best.length + featured.length;
  const tags = ['deals', 'blog', ...cacheTagsOfFigures(settings), ...dealTags(shown)];
  allowPageCache(context, tags, firstEnd(shown));
  return {
    now: time,
    hero,
    best: priced.slice(0, best.length),
    featured: priced.slice(best.length, othersAt),
    recent: priced.slice(othersAt),
    categories: categories.slice(0, 8),
    merchants,
    posts,
    figures,
  };
}

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData?.site;
  return pageMeta({
    site,
    path: '/',
    title: null,
    description:
      'Deals from many stores, each with its price history: see whether a price is really low before you buy.',
    feedPath: '/feeds/deals.xml',
    jsonLd: site ? homeJsonLd(site) : [],
  });
}

export default function HomePage({ loaderData }: Route.ComponentProps) {
  const { now, hero, best, featured, recent, categories, merchants, posts, figures } = loaderData;
  return (
    <div className={styles.sections} data-fills>
      <HomeHero hero={hero} best={best} now={now} />
      <StatsBand figures={figures} />
      <Slot place="home" />
      {featured.length > 0 ? (
        <TitledSection
          id="featured"
          title="Featured Deals"
          link={{ to: '/deals', label: 'View all deals' }}
        >
          <div
            className={dealGrid.grid}
            data-rows={featured.length === 6 ? 'wide' : undefined}
            data-dense="phones"
          >
            {featured.map((priced, index) => (
              <PricedDealCard
                key={priced.deal.id}
                priced={priced}
                now={now}
                variant={index < 2 && featured.length === 6 ? 'featured' : 'default'}
                actions={<DealActions deal={priced.deal} price={priced.price?.now ?? null} />}
              />
            ))}
          </div>
        </TitledSection>
      ) : null}
      {categories.length > 0 ? (
        <TitledSection
          id="by-category"
          title="Shop by Category"
          link={{ to: '/categories', label: 'View all categories' }}
        >
          <ul className={styles.categories}>
            {categories.map((category) => (
              <li key={category.id}>
                <CategoryTile category={category} />
              </li>
            ))}
          </ul>
        </TitledSection>
      ) : null}
      {recent.length > 0 ? (
        <TitledSection
          id="recent"
          title="Recently Added Deals"
          link={{ to: '/deals', label: 'View the newest deals' }}
        >
          <div
            className={dealGrid.grid}
            data-rows={recent.length === 6 ? 'six' : undefined}
            data-dense="phones"
          >
            {recent.map((priced) => (
              <PricedDealCard
                key={priced.deal.id}
                priced={priced}
                now={now}
                actions={<DealActions deal={priced.deal} price={priced.price?.now ?? null} />}
              />
            ))}
          </div>
        </TitledSection>
      ) : null}
      {merchants.length > 0 ? (
        <TitledSection
          id="merchants"
          title="Featured Merchants"
          link={{ to: '/merchants', label: 'View all stores' }}
        >
          <ul className={styles.merchants}>
            {merchants.map((merchant) => (
              <li key={merchant.id}>
                <MerchantTile merchant={merchant} />
              </li>
            ))}
          </ul>
        </TitledSection>
      ) : null}
      {posts.length > 0 ? (
        <TitledSection
          id="posts"
          title="Latest Blog Posts"
          link={{ to: '/blog', label: 'Read the blog' }}
        >
          <ul className={styles.posts}>
            {posts.map((post) => (
              <li key={post.id}>
                <BlogCard post={post} />
              </li>
            ))}
          </ul>
        </TitledSection>
      ) : null}
      <WhyChoose />
      <StayUpdated />
    </div>
  );
}

/** Shows visitors the main links when the home page crashes. */
export function ErrorBoundary() {
  return <FallbackHome />;
}
