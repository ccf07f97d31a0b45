import type { MetaDescriptor } from 'react-router';
import type { BreadcrumbList, ItemList, WithContext } from 'schema-dts';
import { listHref, listPageHref } from '#app/features/deals/deal-list-address.ts';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import type { DealListView } from './read-deal-list.server.ts';

interface Crumb {
  name: string;
  path: string;
}

/**
 * What a list says to machines. Each page of the plain list is a page of its own; filtered and sorted variants
 * are followed but not indexed.
 */
export function dealListMeta({
  site,
  list,
  title,
  description,
  feedPath,
  image,
  crumbs,
}: {
  site: PublicSite | undefined;
  list: DealListView;
  title: string;
  description: string;
  feedPath: string;
  image?: string | null;
  /** From the home page to this list, both included. */
  crumbs: Crumb[];
}): MetaDescriptor[] {
  const { address, page, pageCount } = list;
  const isPlain = listHref(address) === address.path;
  const origin = site?.origin ?? '';
  return pageMeta({
    site,
    path: listPageHref({ ...address, values: {} }, page),
    title: page > 1 ? `${title}, page ${page}` : title,
    description,
    image,
    feedPath,
    isIndexed: isPlain,
    previousPath: page > 1 ? listPageHref(address, page - 1) : null,
    nextPath: page < pageCount ? listPageHref(address, page + 1) : null,
    jsonLd: isPlain ? [breadcrumbs(crumbs, origin), itemList(list, title, origin)] : [],
  });
}

function breadcrumbs(crumbs: Crumb[], origin: string): WithContext<BreadcrumbList> {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: `${origin}${path}`,
    })),
  };
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
