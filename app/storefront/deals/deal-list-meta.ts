import type { MetaDescriptor } from 'react-router';
import type { ItemList, WithContext } from 'schema-dts';
import { type ListAddress, listHref, listPageHref } from '#app/features/deals/deal-list-address.ts';
import { breadcrumbList } from '#app/storefront/chrome/breadcrumb-list.ts';
import { type PageMeta, pageMeta } from '#app/storefront/chrome/page-meta.ts';
import type { DealListView } from './read-deal-list.server.ts';

/**
 * Returns a list's metadata. Each page of the plain list is indexed. Filtered and sorted variants
 * are followed but not indexed.
 */
export function dealListMeta({
  list,
  crumbs,
  noindex = false,
  ...words
}: Pick<PageMeta, 'site' | 'description' | 'shareText' | 'feedPath' | 'image'> & {
  list: DealListView;
  /** Whether staff hid the list from search engines. */
  noindex?: boolean;
  title: string;
  /** The breadcrumbs between the home page and this list. */
  crumbs: Parameters<typeof breadcrumbList>[1];
}): MetaDescriptor[] {
  const { address, page, pageCount } = list;
  const isPlain = listHref(address) === address.path;
  const origin = words.site?.origin ?? '';
  const { title } = words;
  return pageMeta({
    ...words,
    feedPath: words.feedPath ? feedOf(address, words.feedPath) : null,
    path: listPageHref({ ...address, values: {} }, page),
    title: page > 1 ? `${title}, page ${page}` : title,
    isIndexed: isPlain && !noindex,
    previousPath: page > 1 ? listPageHref(address, page - 1) : null,
    nextPath: page < pageCount ? listPageHref(address, page + 1) : null,
    jsonLd: isPlain ? [breadcrumbList(origin, crumbs), itemList(list, title, origin)] : [],
  });
}

/** Returns the feed of the list's filter, if the filter has one of its own. */
function feedOf({ values }: ListAddress, feedPath: string): string {
  if (values['evidence'] === 'fell') return feedPath.replace('deals', 'price-drops');
  if (values['type'] === 'expiring') return feedPath.replace('deals', 'ending-soon');
  return feedPath;
}

function itemList(list: DealListView, name: string, origin: string): WithContext<ItemList> {
  const before = (list.page - 1) * list.pageSize;
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    name,
    numberOfItems: list.total,
    itemListElement: list.deals.map(({ deal }, index) => ({
      '@type': 'ListItem',
      position: before + index + 1,
      name: deal.title,
      url: `${origin}/deals/${deal.slug}`,
    })),
  };
}
