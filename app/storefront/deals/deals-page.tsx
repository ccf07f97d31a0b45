import { countNoun } from '#app/platform/count-noun.ts';
import { data, redirect } from 'react-router';
import type { Route } from './+types/deals-page';
import { CouponSection } from '#app/features/coupons/coupon-list.tsx';
import { earlier } from '#app/features/coupons/read-coupons.server.ts';
import { readFoundCoupons } from '#app/storefront/search/read-found-coupons.server.ts';
import { cachedCategories } from '#app/features/categories/category-queries.server.ts';
import { listHref } from '#app/features/deals/deal-list-address.ts';
import { parseSearchInput } from '#app/features/deals/deal-list-input.ts';
import { countMissedSearch } from '#app/features/search/missed-searches.server.ts';
import { cachedSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { allowPageCache, appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { isVisit } from '#app/platform/is-visit.ts';
import { leadToLastPage } from '#app/platform/page-number.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import {
  hasMissed,
  readSearchResults,
  readTyped,
} from '#app/storefront/search/read-search-results.server.ts';
import { SearchResults } from '#app/storefront/search/search-results.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { CategoryChips } from './category-chips.tsx';
import { countOfList } from './deal-count.ts';
import { dealListMeta } from './deal-list-meta.ts';
import { DealListSection } from './deal-list-section.tsx';
import { type DealListView, readDealList, readListQuery } from './read-deal-list.server.ts';

/** Shows all deals, or the results of a search with `?search=`. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const services = appServices(context);
  const { currency } = await cachedSettings(services);
  const input = parseSearchInput(readListQuery(request, '/deals'), currency);
  if (input.query) {
    const read = await readTyped(services, input);
    if ('listPath' in read) throw redirect(read.listPath);
    const [results, coupons] = await Promise.all([
      readSearchResults(services, read.search, input.query),
      readFoundCoupons(services, read.search, input.query),
    ]);
    if (results.found) leadToLastPage(request, results.found.pageCount);
    const { address } = requestFacts(context);
    const userAgent = request.headers.get('user-agent');
    if (hasMissed(results) && isVisit(request)) {
      await countMissedSearch(services, input.query, { address, userAgent });
    }
    // A failed search may work again soon, so its status must not be 200.
    return data({ search: results, list: null, coupons }, { status: results.found ? 200 : 503 });
  }

  const [{ list, tags, until }, categories, coupons] = await Promise.all([
    readDealList(services, request, '/deals', {}),
    cachedCategories(services),
    readFoundCoupons(services, input, ''),
  ]);
  allowPageCache(context, [...tags, ...coupons.tags], earlier(until, coupons.changesAt));
  return {
    search: null,
    list,
    coupons,
    categories: categories.map(({ slug, name }) => ({ slug, name })),
  };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const site = matches[0].loaderData?.site;
  if (loaderData?.list) {
    return dealListMeta({
      site,
      list: loaderData.list,
      title: 'All Deals',
      description:
        'All deals, newest first, each with its price history. Filter by condition, seller, coupon and price.',
      feedPath: '/feeds/deals.xml',
      crumbs: [{ name: 'All Deals', path: '/deals' }],
    });
  }
  const typed = loaderData?.search?.text;
  const search = loaderData?.search?.address.values['search'];
  return pageMeta({
    site,
    path: '/deals',
    feedPath: search ? `/feeds/deals.xml?${new URLSearchParams({ search })}` : null,
    title: typed ? `Search Results for "${typed}"` : 'Page Not Found',
    description: 'Search results from all deals, categories and stores.',
    isIndexed: false,
  });
}

export default function DealsPage({ loaderData }: Route.ComponentProps) {
  if (loaderData.list === null) {
    const { search, coupons } = loaderData;
    return (
      <SearchResults
        view={search}
        coupons={<CouponSection some={coupons} store={null} now={search.now} />}
      />
    );
  }
  const { list, categories, coupons } = loaderData;
  return (
    <>
      <PageHeading title="All Deals" />
      <CouponSection some={coupons} store={null} now={list.now} />
      <DealListSection
        list={list}
        countText={countText(list)}
        chips={
          <CategoryChips
            categories={categories}
            current={null}
            suffix={listHref({ ...list.address, path: '' })}
          />
        }
      />
    </>
  );
}

function countText(list: DealListView): string {
  const { storeCount } = list;
  return countOfList(list, storeCount ? ` from ${countNoun(storeCount, 'store')}` : '');
}
