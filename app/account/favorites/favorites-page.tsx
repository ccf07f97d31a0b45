import { data, redirect } from 'react-router';
import type { Route } from './+types/favorites-page';
import { cookieHeaders } from '#app/features/accounts/answer-form.server.ts';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import {
  currentUser,
  requireUser,
} from '#app/features/accounts/sessions/session-context.server.ts';
import { safeReturnPath } from '#app/features/accounts/sessions/safe-return-path.ts';
import dealGrid from '#app/features/deals/deal-grid.module.css';
import { changeFavorite } from '#app/features/favorites/change-favorite.server.ts';
import { favoriteMessages } from '#app/features/favorites/favorite-messages.ts';
import { rememberWish } from '#app/features/favorites/wished-favorite.server.ts';
import { describeChange } from '#app/features/favorites/describe-savings.ts';
import {
  type FavoriteSort,
  isReminded,
  listFavorites,
  setReminder,
} from '#app/features/favorites/favorite-queries.server.ts';
import { FavoriteToggle } from '#app/features/favorites/favorite-toggle.tsx';
import { AlertButton } from '#app/features/price-alerts/alert-button.tsx';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { PricedDeal } from '#app/features/prices/price-deals.server.ts';
import { showDeals } from '#app/features/products/show-deals.server.ts';
import { PricedDealCard } from '#app/features/prices/priced-deal-card.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import { leadToLastPage } from '#app/platform/page-number.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { Button, PrimaryLink } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { Link } from '#app/ui/link.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { Region } from '#app/ui/region.tsx';
import { SkeletonCard } from '#app/ui/skeleton-card.tsx';
import { changeOwnLists } from './change-own-lists.server.ts';
import { describeTotal, EmptyList, FavoriteLists, ListButton } from './favorite-lists.tsx';
import { favoritesPath, readView, withEmptiedHeart } from './favorites-address.ts';
import styles from './favorites-page.module.css';
import { ListDialogs } from './list-dialogs.tsx';
import { readOwnLists } from './read-own-lists.server.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = appServices(context);
  const { db, now } = services;
  const user = currentUser(context);
  if (!user) return data(null, { status: 401 });
  const { searchParams } = new URL(request.url);
  const view = readView(searchParams);
  const { page, sort } = view;
  const own = await readOwnLists(db, user, searchParams, view);
  const listId = view.list ?? undefined;
  const { favorites, total, pageCount } = await listFavorites(db, user.id, { page, sort, listId });
  leadToLastPage(request, pageCount);
  const [time, settings] = [now(), await readSiteSettings(db)];
  const shown = await showDeals(services, favorites, settings, time);
  const loaded = {
    now: time,
    page,
    sort,
    pageCount,
    total,
    own,
    favorites: shown.map((priced, index) => ({
      priced,
      change: priceChange(favorites[index], priced, settings),
    })),
    remind: await isReminded(db, user.id),
  };
  return data(loaded, { status: view.list !== null && !own.list ? 404 : 200 });
}

type Favorite = Awaited<ReturnType<typeof listFavorites>>['favorites'][number];

/** `null` if the price is hidden or unknown, now or when the deal was saved. */
function priceChange(
  favorite: Favorite | undefined,
  { price }: PricedDeal,
  settings: { currency: string; timeZone: string },
): string | null {
  if (!favorite?.kept_price || !price || favorite.is_expired) return null;
  if (favorite.availability === 'out_of_stock') return null;
  const kept = { price: favorite.kept_price, at: favorite.favorited_at };
  return describeChange(kept, price.now, settings);
}

/**
 * Handles the reminder's checkbox and the plain heart forms, which redirect to their `return_to`
 * page. If a visitor must sign in first, the deal is saved afterwards.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const post = await readPost(context, request);
  const { services, db, form, text, rowId, intent } = post;
  if (intent !== '') return changeOwnLists(post, requireUser(context, request), request);
  if (form.has('return_to')) {
    const returnTo = safeReturnPath(text('return_to'));
    const user = currentUser(context);
    if (!user) {
      const dealId = text('want') === 'set' ? rowId('deal_id') : null;
      const { origin } = services.env;
      throw redirect(`/sign-in?returnTo=${encodeURIComponent(returnTo)}`, {
        headers: cookieHeaders(dealId === null ? [] : [rememberWish(origin, dealId)]),
      });
    }
    const answer = await changeFavorite(services, user.id, form);
    if (answer.ok) {
      const isEmptied = !answer.isFavorite;
      throw redirect(isEmptied ? withEmptiedHeart(returnTo, text('deal_id')) : returnTo, 303);
    }
    const { message, status, headers = {} } = answer;
    return data({ isSaved: false, error: message, returnTo, typedName: null }, { status, headers });
  }
  const user = requireUser(context, request);
  await setReminder(db, user.id, form.get('remind') !== null);
  return data({ isSaved: true, error: null, returnTo: null, typedName: null });
}

export const headers = keepRetryAfter;

export function meta({ matches }: Route.MetaArgs) {
  const name = matches[0].loaderData?.site.name ?? 'Deal Hub';
  return [{ title: `My Favorites | ${name}` }, { name: 'robots', content: 'noindex, follow' }];
}

const orders: { of: FavoriteSort; label: string }[] = [
  { of: 'newest', label: 'Newest first' },
  { of: 'change', label: 'Biggest drop first' },
];

export default function FavoritesPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData) {
    return (
      <>
        <PageHeading title="My Favorites" />
        <MessagePanel
          icon="heart"
          title="Sign In Required"
          actions={<PrimaryLink to="/sign-in?returnTo=/favorites">Sign In</PrimaryLink>}
        >
          Please sign in to see your favorites.
        </MessagePanel>
      </>
    );
  }
  const { favorites, total, page, sort, pageCount, now, remind, own } = loaderData;
  const { list, view } = own;
  return (
    <>
      <PageHeading title="My Favorites">
        Your saved deals and how their prices have changed.{' '}
        <Link to="/favorites/import">Import your list</Link>
      </PageHeading>
      {actionData?.error && !own.dialog ? (
        <div className="stack gap-3 below-6">
          <FormNotice kind="error" text={actionData.error} />
          <Link to={actionData.returnTo}>Back to where you were</Link>
        </div>
      ) : null}
      <Region name="favorites" lost={favoriteMessages.notShown}>
        {total > 0 || own.lists.length > 0 || own.notice ? <FavoriteLists own={own} /> : null}
        <ListDialogs own={own} refused={actionData} />
        {view.list !== null && total === 0 ? (
          <EmptyList exists={list !== null} />
        ) : total === 0 ? (
          <MessagePanel
            icon="heart"
            title="No Favorites Yet"
            actions={<PrimaryLink to="/deals">Browse All Deals</PrimaryLink>}
          >
            Press the heart on a deal to save it here.
          </MessagePanel>
        ) : (
          <section aria-label="Favorites">
            <div className={styles.above}>
              <p role="status">{describeTotal(total, own)}</p>
              <nav aria-label="Sort favorites" className={styles.orders}>
                {orders.map(({ of, label }) => (
                  <Link
                    key={of}
                    to={favoritesPath({ list: view.list, sort: of })}
                    aria-current={of === sort ? 'true' : undefined}
                  >
                    {label}
                  </Link>
                ))}
                <Link to="/favorites/saved">Your savings</Link>
              </nav>
              <span data-needs-js>
                <Button data-refreshes data-busy="Refreshing…">
                  Refresh
                </Button>
              </span>
            </div>
            <div className={dealGrid.grid} data-favorites data-fills>
              {favorites.map(({ priced, change }, index) => (
                <PricedDealCard
                  key={priced.deal.id}
                  priced={priced}
                  now={now}
                  headingLevel={2}
                  isEager={index < 4}
                  note={
                    change === null ? null : (
                      <Link to={`/deals/${priced.deal.slug}#price-history`}>{change}</Link>
                    )
                  }
                  actions={
                    <>
                      <FavoriteToggle deal={priced.deal} />
                      <ListButton deal={priced.deal} own={own} />
                      {priced.deal.is_expired || !priced.price ? null : (
                        <AlertButton deal={{ ...priced.deal, sale_price: priced.price.now }} />
                      )}
                    </>
                  }
                />
              ))}
            </div>
            <template data-when="refreshing">
              <div className={dealGrid.grid} aria-busy="true">
                {favorites.map(({ priced }) => (
                  <SkeletonCard key={priced.deal.id} />
                ))}
              </div>
            </template>
            <Pager
              page={page}
              pageCount={pageCount}
              hrefOf={(to) => favoritesPath({ ...view, page: to })}
              label="Pages of favorites"
            />
          </section>
        )}
      </Region>
      <form method="post" data-in-place="" className={styles.reminder}>
        <label>
          <input type="checkbox" name="remind" defaultChecked={remind} />
          Email me a day before a favorite expires
        </label>
        <Button type="submit">Save</Button>
        <span role="status">{actionData?.isSaved ? 'Saved' : ''}</span>
      </form>
    </>
  );
}
