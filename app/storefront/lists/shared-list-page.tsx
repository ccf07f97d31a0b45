import { data } from 'react-router';
import type { Route } from './+types/shared-list-page';
import { findSharedList } from '#app/features/favorites/favorite-list-queries.server.ts';
import { listFavorites } from '#app/features/favorites/favorite-queries.server.ts';
import { showDeals } from '#app/features/products/show-deals.server.ts';
import { cachedSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { leadToLastPage, parsePageNumber } from '#app/platform/page-number.ts';
import { missingMeta, pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { DealCards } from '#app/storefront/deals/deal-cards.tsx';
import { PrimaryLink } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { Pager } from '#app/ui/pager.tsx';

/**
 * Shows a list of favorites to everyone with its secret link. The page reveals nothing about its
 * owner, and is never cached. A missing link is not counted as a missed path, since its token is a
 * secret.
 */
export async function loader({ context, request, params }: Route.LoaderArgs) {
  const services = appServices(context);
  const list = await findSharedList(services.db, params.token);
  if (!list) return data(null, { status: 404 });
  const page = parsePageNumber(new URL(request.url).searchParams);
  const own = { page, sort: 'newest', listId: list.id } as const;
  const { favorites, total, pageCount } = await listFavorites(services.db, list.user_id, own);
  leadToLastPage(request, pageCount);
  const now = services.now();
  const deals = await showDeals(services, favorites, await cachedSettings(services), now);
  return data({ name: list.name, token: params.token, now, page, pageCount, total, deals });
}

export function meta(page: Route.MetaArgs) {
  const { loaderData, matches, location } = page;
  if (!loaderData) return missingMeta(page, 'This link does not work.', 'List Not Found');
  return pageMeta({
    site: matches[0].loaderData?.site,
    path: location.pathname,
    title: loaderData.name,
    description: `A list of ${countNoun(loaderData.total, 'deal')}.`,
    isIndexed: false,
  });
}

export default function SharedListPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData) {
    return (
      <MessagePanel
        icon="search"
        level={1}
        title="List Not Found"
        actions={<PrimaryLink to="/deals">Browse All Deals</PrimaryLink>}
      >
        The link is incomplete, or the list is no longer shared.
      </MessagePanel>
    );
  }
  const { name, token, now, page, pageCount, total, deals } = loaderData;
  const hrefOf = (to: number) => `/lists/${token}${to > 1 ? `?page=${to}` : ''}`;
  return (
    <>
      <PageHeading title={name}>{`A shared list of ${countNoun(total, 'deal')}.`}</PageHeading>
      {total === 0 ? (
        <MessagePanel
          icon="heart"
          title="This List Is Empty"
          actions={<PrimaryLink to="/deals">Browse All Deals</PrimaryLink>}
        >
          Its deals are gone, or none was added yet.
        </MessagePanel>
      ) : (
        <DealCards deals={deals} now={now} headingLevel={2} eager={4} />
      )}
      <Pager page={page} pageCount={pageCount} hrefOf={hrefOf} label="Pages of this list" />
    </>
  );
}
