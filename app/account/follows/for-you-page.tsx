import { data, redirect } from 'react-router';
import type { Route } from './+types/for-you-page';
import { cookieHeaders } from '#app/features/accounts/answer-form.server.ts';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import {
  currentUser,
  requireUser,
} from '#app/features/accounts/sessions/session-context.server.ts';
import { safeReturnPath } from '#app/features/accounts/sessions/safe-return-path.ts';
import dealGrid from '#app/features/deals/deal-grid.module.css';
import { listDealsByIds } from '#app/features/deals/deal-list-queries.server.ts';
import { FavoriteToggle } from '#app/features/favorites/favorite-toggle.tsx';
import { findFollowedDeals } from '#app/features/follows/find-followed-deals.server.ts';
import {
  isMailedWeekly,
  listFollows,
  listPopular,
} from '#app/features/follows/follow-queries.server.ts';
import { parseTarget } from '#app/features/follows/follow-target.ts';
import { describeReasons } from '#app/features/follows/describe-reasons.server.ts';
import { rememberFollow } from '#app/features/follows/wished-follow.server.ts';
import { AlertButton } from '#app/features/price-alerts/alert-button.tsx';
import { showDeals } from '#app/features/products/show-deals.server.ts';
import { PricedDealCard } from '#app/features/prices/priced-deal-card.tsx';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { findSuspension } from '#app/platform/mail/suspension-queries.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { leadToLastPage, parsePageNumber } from '#app/platform/page-number.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { ButtonLink, PrimaryLink } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { Link } from '#app/ui/link.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { changeFollows } from './change-follows.server.ts';
import { Following, forYouPath, PopularToFollow, UndoNotice, WeeklySwitch } from './following.tsx';
import styles from './for-you-page.module.css';

/** The number of popular stores and of categories shown. */
const mostPopular = 8;

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = appServices(context);
  const { db } = services;
  const user = currentUser(context);
  if (!user) return data(null, { status: 401 });
  const page = parsePageNumber(new URL(request.url).searchParams);
  const [follows, settings] = await Promise.all([listFollows(db, user.id), readSiteSettings(db)]);
  const found = await findFollowedDeals(db, follows, page, settings.priceClaims);
  leadToLastPage(request, found.pageCount);
  const deals = await listDealsByIds(db, found.ids);
  const reasons = await describeReasons(db, follows, deals);
  const now = services.now();
  const shown = await showDeals(services, deals, settings, now);
  return data({
    now,
    page,
    pageCount: found.pageCount,
    total: found.total,
    deals: shown.map((priced) => ({ priced, reason: reasons.get(priced.deal.id) })),
    follows,
    popular: follows.length === 0 ? await listPopular(db, user.id, mostPopular) : [],
    isWeekly: await isMailedWeekly(db, user.id),
    isVerified: user.emailVerified,
    suspension: await findSuspension(db, user.email),
  });
}

/**
 * Handles the page's forms, and those of follow buttons, which redirect to their `return_to` page.
 * If a visitor must sign in first, the store, category or brand is followed afterwards.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const post = await readPost(context, request);
  const { services, form, text, intent } = post;
  const user = currentUser(context);
  if (!form.has('return_to')) {
    const { answer, ...init } = await changeFollows(post, requireUser(context, request).id);
    return data({ ...answer, returnTo: null }, init);
  }
  const returnTo = safeReturnPath(text('return_to'));
  if (!user) {
    const target = intent === 'follow' ? parseTarget(text('follow')) : null;
    const { origin } = services.env;
    throw redirect(`/sign-in?returnTo=${encodeURIComponent(returnTo)}`, {
      headers: cookieHeaders(target === null ? [] : [rememberFollow(origin, target)]),
    });
  }
  const { answer, ...init } = await changeFollows(post, user.id);
  if (answer.error === null) throw redirect(returnTo, 303);
  return data({ ...answer, returnTo }, init);
}

export const headers = keepRetryAfter;

export function meta({ matches }: Route.MetaArgs) {
  const name = matches[0].loaderData?.site.name ?? 'Deal Hub';
  return [{ title: `For You | ${name}` }, { name: 'robots', content: 'noindex, follow' }];
}

const subtitle = 'Deals from the stores, categories and brands you follow.';

export default function ForYouPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData) {
    return (
      <>
        <PageHeading title="For You">{subtitle}</PageHeading>
        <MessagePanel
          icon="user"
          title="Sign In Required"
          actions={<PrimaryLink to="/sign-in?returnTo=/for-you">Sign In</PrimaryLink>}
        >
          Please sign in to see deals from what you follow.
        </MessagePanel>
      </>
    );
  }
  const { follows, popular, isWeekly, isVerified, suspension } = loaderData;
  return (
    <>
      <PageHeading title="For You">{subtitle}</PageHeading>
      {actionData?.error ? (
        <div className="stack gap-3 below-6">
          <FormNotice kind="error" text={actionData.error} />
          {actionData.returnTo === null ? null : (
            <Link to={actionData.returnTo}>Back to where you were</Link>
          )}
        </div>
      ) : null}
      <UndoNotice text={actionData?.done ?? null} undo={actionData?.undo ?? []} />
      {follows.length === 0 ? <PopularToFollow popular={popular} /> : <Deals {...loaderData} />}
      <Following follows={follows} />
      <WeeklySwitch
        isWeekly={isWeekly}
        isSaved={actionData?.isSaved === true}
        isVerified={isVerified}
        suspension={suspension}
      />
    </>
  );
}

type Loaded = NonNullable<Route.ComponentProps['loaderData']>;

function Deals({ deals, total, now, page, pageCount }: Loaded) {
  if (total === 0) {
    return (
      <MessagePanel
        icon="tag"
        title="No deals yet"
        actions={<ButtonLink to="/deals">Browse All Deals</ButtonLink>}
      >
        There are no live deals from what you follow right now. New ones will appear here.
      </MessagePanel>
    );
  }
  return (
    <section aria-label="Deals for you">
      <div className={styles.above}>
        <p role="status">{`${countNoun(total, 'deal')}, furthest below the usual price first`}</p>
        <a href="#following">What you follow</a>
      </div>
      <div className={dealGrid.grid} data-fills>
        {deals.map(({ priced, reason }, index) => (
          <PricedDealCard
            key={priced.deal.id}
            priced={priced}
            now={now}
            headingLevel={2}
            isEager={index < 4}
            note={reason}
            actions={
              <>
                <FavoriteToggle deal={priced.deal} />
                {priced.price ? (
                  <AlertButton deal={{ ...priced.deal, sale_price: priced.price.now }} />
                ) : null}
              </>
            }
          />
        ))}
      </div>
      <Pager
        page={page}
        pageCount={pageCount}
        hrefOf={(to) => (to > 1 ? `${forYouPath}?page=${to}` : forYouPath)}
        label="Pages of deals for you"
      />
    </section>
  );
}
