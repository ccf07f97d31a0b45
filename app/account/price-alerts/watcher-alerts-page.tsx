import { data, redirect, useSearchParams } from 'react-router';
import type { Route } from './+types/watcher-alerts-page';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import { listAlerts } from '#app/features/price-alerts/alert-queries.server.ts';
import { stopAllAlerts } from '#app/features/price-alerts/update-alert.server.ts';
import { alertListPath } from '#app/features/price-alerts/watch-link.server.ts';
import { eraseWatcher } from '#app/features/price-alerts/watcher-queries.server.ts';
import { confirmRequest } from '#app/features/watched-searches/confirm-request.server.ts';
import { listWaitingRequests } from '#app/features/watched-searches/watch-requests.server.ts';
import {
  listWatchedSearches,
  stopWatchedSearches,
} from '#app/features/watched-searches/watched-search-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { limit, retryAfter } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';
import { type Post, readPost } from '#app/platform/read-post.server.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { DeadLinkPanel } from '#app/ui/dead-link-panel.tsx';
import { DonePanel } from '#app/ui/done-panel.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import { Region } from '#app/ui/region.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { AlertList } from './alert-list.tsx';
import { confirmedNotice, overList } from './alert-notices.ts';
import { changeAlert, refuseAct } from './change-alert.server.ts';
import { changeSearch, searchIntents } from './change-watched-search.server.ts';
import { readWatcher } from './read-watcher.server.ts';
import { WatchedSearches } from './watched-searches.tsx';
import { EndWatchingDialog, isWayToEnd, WaitingRequests, WaysToEnd } from './watcher-parts.tsx';

/** The alerts of a guest subscriber, opened only by the signed link in their emails. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = appServices(context);
  const watcher = await readWatcher(db, request);
  const isErased = new URL(request.url).searchParams.has('erased');
  if (!watcher) return data({ watcher: null, isErased }, { status: isErased ? 200 : 404 });
  const { id, email } = watcher;
  return data({
    isErased,
    watcher: {
      email,
      listPath: await alertListPath(db, id),
      alerts: await listAlerts(db, { watcherId: id }),
      searches: await listWatchedSearches(db, { watcherId: id }),
      waiting: await listWaitingRequests(db, email),
      now: now(),
    },
  });
}

/**
 * Handles the same intents as an account's alerts, plus `confirm` (with `id`), `stop-all` and
 * `erase`.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const post = await readPost(context, request);
  const { services, db, intent } = post;
  const watcher = await readWatcher(db, request);
  if (!watcher) return refuseAct(alertMessages.gone, 404);
  const limited = await limit(services, 'member-write', `watcher ${watcher.id}`);
  if (!limited.ok) return refuseAct(tooManyAttempts, 429, retryAfter(limited));
  const owner = { watcherId: watcher.id };
  const listPath = await alertListPath(db, watcher.id);
  switch (intent) {
    case 'confirm':
      return confirm(post, watcher.email, listPath);
    case 'stop-all':
      await stopAllAlerts(db, owner);
      await stopWatchedSearches(db, owner);
      throw redirect(overList(listPath, 'stopped'), 303);
    case 'erase':
      await eraseWatcher(db, watcher);
      services.log.info({ event: 'watcher-erased', watcher: watcher.id }, 'watcher erased');
      throw redirect('/price-alerts/by-mail?erased', 303);
    default:
      if (searchIntents.includes(intent)) return changeSearch(post, owner, listPath);
      return changeAlert(post, owner, listPath);
  }
}

/**
 * Confirms the request with this `id`, if it was made with this email address. Any other one is
 * treated as missing.
 */
async function confirm({ db, rowId }: Post, email: string, listPath: string) {
  const id = rowId('id');
  const asked = (await listWaitingRequests(db, email)).find((one) => one.id === id);
  if (!asked) return refuseAct(alertMessages.requestGone, 404);
  const outcome = await confirmRequest(db, asked.id);
  if (!outcome.ok) return refuseAct(outcome.message, outcome.status);
  throw redirect(overList(listPath, confirmedNotice(outcome)), 303);
}

export const headers = keepRetryAfter;

export function meta({ matches }: Route.MetaArgs) {
  const name = matches[0].loaderData?.site.name ?? 'Deal Hub';
  return [{ title: `Your Price Alerts | ${name}` }, { name: 'robots', content: 'noindex' }];
}

export default function WatcherAlertsPage({ loaderData, actionData }: Route.ComponentProps) {
  const [search] = useSearchParams();
  const { watcher, isErased } = loaderData;
  if (!watcher) return isErased ? <Erased /> : <InvalidLink />;
  const { email, alerts, searches, waiting, now, listPath } = watcher;
  const end = search.get('end') ?? '';
  return (
    <>
      <PageHeading title="Your Price Alerts">
        {`Alerts for ${email}. Anyone with the link to this page can change them.`}
      </PageHeading>
      <Region name="alerts" lost={alertMessages.notShown}>
        <AlertList alerts={alerts} listPath={listPath} error={actionData?.error ?? undefined}>
          <WaitingRequests requests={waiting} listPath={listPath} />
        </AlertList>
        <WatchedSearches searches={searches} listPath={listPath} now={now} />
        {isWayToEnd(end) ? <EndWatchingDialog way={end} email={email} listPath={listPath} /> : null}
        <WaysToEnd
          listPath={listPath}
          hasActive={[...alerts, ...searches].some((one) => one.is_active)}
        />
      </Region>
    </>
  );
}

function Erased() {
  return (
    <NarrowPage title="Your Price Alerts">
      <DonePanel
        icon="check"
        title="Erased"
        actions={<ButtonLink to="/">Go to Homepage</ButtonLink>}
      >
        Your address, everything you watched and all related emails are deleted. We will not email
        you again.
      </DonePanel>
    </NarrowPage>
  );
}

function InvalidLink() {
  return (
    <DeadLinkPanel
      actions={
        <>
          <ButtonLink variant="primary" to="/sign-in?returnTo=/price-alerts">
            Sign In
          </ButtonLink>
          <ButtonLink to="/price-alerts/new">New Alert</ButtonLink>
        </>
      }
    >
      <p>
        The page was erased, or belongs to the account created with this address. Your email app may
        also have cut the link off.
      </p>
    </DeadLinkPanel>
  );
}
