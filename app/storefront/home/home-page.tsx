import { Fragment } from 'react';
import { redirect } from 'react-router';
import type { Route } from './+types/home-page';
import { listBestDeals } from '#app/features/deals/deal-list-queries.server.ts';
import { dealTags, firstEnd } from '#app/features/deals/page-tags.ts';
import { findMovedPath } from '#app/features/moved-posts/find-moved-path.server.ts';
import { showDeals } from '#app/features/products/show-deals.server.ts';
import { cacheTagsOfFigures, cachedHero } from '#app/features/site-settings/site-figures.server.ts';
import { cachedSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { Slot } from '#app/features/slots/slot.tsx';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { FallbackHome } from './fallback-home.tsx';
import { HomeHero } from './home-hero.tsx';
import { homeJsonLd } from './home-json-ld.ts';
import { HomeSection } from './home-section.tsx';
import styles from './home-page.module.css';
import { readHomeSections } from './read-home-sections.server.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = appServices(context);
  const moved = await findMovedPath(services.db, new URL(request.url).searchParams);
  if (moved !== null) throw redirect(moved, 301);
  const settings = await cachedSettings(services);
  const [best, home, hero] = await Promise.all([
    listBestDeals(services, 6),
    readHomeSections(services, settings),
    cachedHero(services, settings),
  ]);
  const time = services.now();
  const shown = [...best, ...home.featured, ...home.recent];
  const priced = await showDeals(services, shown, settings, time);
  const othersAt = best.length + home.featured.length;
  const tags = ['deals', 'blog', ...cacheTagsOfFigures(settings), ...dealTags(shown)];
  allowPageCache(context, tags, firstEnd(shown));
  return {
    ...home,
    now: time,
    hero,
    best: priced.slice(0, best.length),
    featured: priced.slice(best.length, othersAt),
    recent: priced.slice(othersAt),
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
  const { now, hero, best, sections } = loaderData;
  return (
    <div className={styles.sections} data-fills>
      <HomeHero hero={hero} best={best} now={now} />
      {sections.length === 0 ? <Slot place="home" /> : null}
      {sections.map((name, index) => (
        <Fragment key={name}>
          <HomeSection name={name} home={loaderData} />
          {index === 0 ? <Slot place="home" /> : null}
        </Fragment>
      ))}
    </div>
  );
}

/** Shows visitors the main links when the home page crashes. */
export function ErrorBoundary() {
  return <FallbackHome />;
}
