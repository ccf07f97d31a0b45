import { data, isRouteErrorResponse, redirect, useSearchParams } from 'react-router';
import type { Route } from './+types/price-alerts-page';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { describeBrowser } from '#app/features/accounts/sessions/describe-browser.ts';
import { listAlertChannels } from '#app/features/alert-channels/alert-channel-queries.server.ts';
import { isOwnChannelKind } from '#app/features/alert-channels/own-channel-kinds.ts';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import { listAlerts } from '#app/features/price-alerts/alert-queries.server.ts';
import { sendTestAlert } from '#app/features/price-alerts/send-test-alert.server.ts';
import { listBrowsers } from '#app/features/price-alerts/push-subscription-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { limit, retryAfter } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';
import { listWatchedSearches } from '#app/features/watched-searches/watched-search-queries.server.ts';
import { findSuspension } from '#app/platform/mail/suspension-queries.server.ts';
import { vapidKeys } from '#app/platform/push/vapid.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { ButtonLink, PrimaryLink } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { Region } from '#app/ui/region.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { SendLinkAgain } from '../send-link-again.tsx';
import { SuspendedAddressNotice } from '../suspended-address-notice.tsx';
import { AlertList } from './alert-list.tsx';
import { overList } from './alert-notices.ts';
import { changeAlert, refuseAct } from './change-alert.server.ts';
import { browserIntents, changeBrowser } from './change-browser.server.ts';
import { changeSearch, searchIntents } from './change-watched-search.server.ts';
import { changeOwnChannel, channelIntents } from './change-own-channel.server.ts';
import { NotifiedBrowsers } from './notified-browsers.tsx';
import { AddChannelDialog, OwnChannels } from './own-channels.tsx';
import { WatchedSearches } from './watched-searches.tsx';
import styles from './price-alerts-page.module.css';

const path = '/price-alerts';

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = appServices(context);
  const user = currentUser(context);
  if (!user) return data(null, { status: 401 });
  const browsers = await listBrowsers(db, user.id);
  return data({
    alerts: await listAlerts(db, { userId: user.id }),
    searches: await listWatchedSearches(db, { userId: user.id }),
    now: now(),
    isVerified: user.emailVerified,
    suspension: await findSuspension(db, user.email),
    browsers: browsers.map(({ user_agent, ...browser }) => ({
      ...browser,
      name: describeBrowser(user_agent),
    })),
    publicKey: (await vapidKeys(db)).publicKey,
    channels: await listAlertChannels(db, user.id),
  });
}

/**
 * Handles the list of alerts. `intent` is `update`, `delete` or `test`. `id` is one of the user's
 * own alerts; any other one is treated as missing. Further intents manage notified browsers
 * and own channels.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const user = currentUser(context);
  if (!user) throw redirect(`/sign-in?returnTo=${path}`);
  const post = await readPost(context, request);
  const { services, db, rowId, intent } = post;
  const limited = await limit(services, intent === 'test' ? 'test-mail' : 'member-write', user.id);
  if (!limited.ok) return refuseAct(tooManyAttempts, 429, retryAfter(limited));
  if (channelIntents.includes(intent)) return changeOwnChannel(post, user);
  if (browserIntents.includes(intent)) return changeBrowser(post, user, request);
  if (searchIntents.includes(intent)) return changeSearch(post, { userId: user.id }, path);
  if (intent !== 'test') return changeAlert(post, { userId: user.id }, path);
  const outcome = await sendTestAlert(db, user, rowId('id') ?? 0, services.now());
  if (outcome === 'gone') return refuseAct(alertMessages.gone, 404);
  if (outcome === 'price-hidden') return refuseAct(alertMessages.priceHidden, 422);
  if (outcome === 'unproved') return refuseAct(alertMessages.unproved, 403);
  throw redirect(overList(path, 'tested'), 303);
}

export const headers = keepRetryAfter;

export function meta({ matches }: Route.MetaArgs) {
  const name = matches[0].loaderData?.site.name ?? 'Deal Hub';
  return [{ title: `Price Alerts | ${name}` }, { name: 'robots', content: 'noindex, follow' }];
}

/** The response to a form of the page, which names the part that shows the error. */
interface Answer {
  error?: string | null;
  channelError?: string;
  errors?: Readonly<Record<string, string>>;
}

const subtitle = 'Get notified when deals reach the price you want to pay.';

export default function PriceAlertsPage({ loaderData, actionData }: Route.ComponentProps) {
  const [search] = useSearchParams();
  if (!loaderData) {
    return (
      <>
        <PageHeading title="Price Alerts">{subtitle}</PageHeading>
        <MessagePanel
          icon="bell"
          title="Sign In Required"
          actions={<PrimaryLink to={`/sign-in?returnTo=${path}`}>Sign In</PrimaryLink>}
        >
          Please sign in to see your price alerts.
        </MessagePanel>
      </>
    );
  }
  const { alerts, searches, now, isVerified, suspension, browsers, publicKey, channels } =
    loaderData;
  const added = search.get('channel') ?? '';
  const addedKind = isOwnChannelKind(added) ? added : null;
  const { error, errors = {}, channelError }: Answer = actionData ?? {};
  const hasChannel = channels.some(({ state }) => state === 'on');
  return (
    <>
      <PageHeading title="Price Alerts">
        {subtitle} <Link to="/favorites/import">Import your list</Link>
      </PageHeading>
      <Region name="alerts" lost={alertMessages.notShown}>
        <AlertList
          alerts={alerts}
          listPath={path}
          error={error ?? undefined}
          hasTest={isVerified}
          hasChannel={hasChannel}
        >
          {isVerified && suspension ? (
            <div className={styles.warning}>
              <SuspendedAddressNotice reason={suspension.reason} />
            </div>
          ) : null}
          {isVerified ? null : (
            <div className={styles.warning}>
              <p>Your email address is not verified yet, so your alerts are paused until it is.</p>
              <SendLinkAgain />
            </div>
          )}
        </AlertList>
      </Region>
      <WatchedSearches searches={searches} listPath={path} now={now} />
      {isVerified ? <NotifiedBrowsers publicKey={publicKey} browsers={browsers} /> : null}
      {isVerified ? (
        <div data-region="channels">
          <OwnChannels channels={channels} error={addedKind ? undefined : channelError} />
          {addedKind ? (
            <AddChannelDialog kind={addedKind} error={channelError} errors={errors} />
          ) : null}
        </div>
      ) : null}
    </>
  );
}

/** Shows a status or a generic message. The error's own message appears in development only. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const message =
    import.meta.env.DEV && error instanceof Error
      ? error.message
      : isRouteErrorResponse(error)
        ? `${error.status} ${error.statusText}`.trim()
        : 'Unknown error';
  return (
    <>
      <PageHeading title="Price Alerts">{subtitle}</PageHeading>
      <MessagePanel
        icon="alert"
        title="Error Loading Price Alerts"
        actions={
          <ButtonLink variant="primary" to={path} isDocument>
            Try Again
          </ButtonLink>
        }
      >
        Error: {message}
      </MessagePanel>
    </>
  );
}
