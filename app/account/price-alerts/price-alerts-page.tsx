import { data, isRouteErrorResponse, redirect, useNavigate, useSearchParams } from 'react-router';
import type { Route } from './+types/price-alerts-page';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { describeBrowser } from '#app/features/accounts/sessions/describe-browser.ts';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import { listAlerts } from '#app/features/price-alerts/alert-queries.server.ts';
import { sendTestAlert } from '#app/features/price-alerts/send-test-alert.server.ts';
import { listBrowsers } from '#app/features/price-alerts/push-subscription-queries.server.ts';
import { deleteAlert, updateAlert } from '#app/features/price-alerts/update-alert.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { answerWhenLost } from '#app/platform/answer-when-lost.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { limit, retryAfter } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';
import { vapidKeys } from '#app/platform/push/vapid.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { ButtonLink, PrimaryLink } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { SendLinkAgain } from '../send-link-again.tsx';
import { AlertCard } from './alert-card.tsx';
import { DeleteAlertDialog, EditAlertDialog } from './alert-dialogs.tsx';
import { browserIntents, changeBrowser } from './change-browser.server.ts';
import { NotifiedBrowsers } from './notified-browsers.tsx';
import styles from './price-alerts-page.module.css';

const path = '/price-alerts';

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = appServices(context);
  const user = currentUser(context);
  if (!user) return data(null, { status: 401 });
  const browsers = await listBrowsers(db, user.id);
  return data({
    alerts: await listAlerts(db, user.id),
    isVerified: user.emailVerified,
    browsers: browsers.map(({ user_agent, ...browser }) => ({
      ...browser,
      name: describeBrowser(user_agent),
    })),
    publicKey: (await vapidKeys(db)).publicKey,
  });
}

/**
 * `intent` is `update`, `delete` or `test`, and `id` one of the user's own alerts, or it is missing (R03); or it is
 * about a browser that is notified.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const user = currentUser(context);
  if (!user) throw redirect(`/sign-in?returnTo=${path}`);
  const post = await readPost(context, request);
  const { services, db, form, rowId, intent } = post;
  const refuse = (error: string, status: number, headers = {}) =>
    data({ error }, { status, headers });
  const limited = await limit(services, intent === 'test' ? 'test-mail' : 'member-write', user.id);
  if (!limited.ok) return refuse(tooManyAttempts, 429, retryAfter(limited));
  if (browserIntents.includes(intent)) return changeBrowser(post, user, request);
  const id = rowId('id') ?? 0;
  if (intent === 'delete') {
    if (!(await deleteAlert(db, user.id, id))) return refuse(alertMessages.gone, 404);
    throw redirect(`${path}?deleted`, 303);
  }
  if (intent === 'test') {
    const outcome = await sendTestAlert(db, user, id, services.now());
    if (outcome === 'gone') return refuse(alertMessages.gone, 404);
    if (outcome === 'price-hidden') return refuse(alertMessages.priceHidden, 422);
    if (outcome === 'unproved') return refuse(alertMessages.unproved, 403);
    throw redirect(`${path}?tested`, 303);
  }
  if (intent !== 'update') return refuse(alertMessages.gone, 422);
  const { currency } = await readSiteSettings(db);
  const outcome = await updateAlert(db, user.id, id, form, currency);
  if (!outcome.ok) return refuse(alertMessages.updateFailed(outcome.message), outcome.status);
  throw redirect(outcome.hasFired ? `${path}?fired` : `${path}?saved`, 303);
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return answerWhenLost(serverAction, { error: alertMessages.notReached });
}

export const headers = keepRetryAfter;

export function meta({ matches }: Route.MetaArgs) {
  const name = matches[0].loaderData?.site.name ?? 'Deal Hub';
  return [{ title: `Price Alerts | ${name}` }, { name: 'robots', content: 'noindex, follow' }];
}

const subtitle = 'Get notified when deals reach the price you want to pay.';

const notices: Record<string, string> = {
  created: 'The price alert is set.',
  saved: alertMessages.changed,
  fired: alertMessages.firedAtOnce,
  deleted: 'The price alert was deleted.',
  tested: 'The test mail is on its way.',
};

export default function PriceAlertsPage({ loaderData, actionData }: Route.ComponentProps) {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const error = actionData?.error ?? undefined;
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
  const { alerts, isVerified, browsers, publicKey } = loaderData;
  const active = alerts.filter((alert) => alert.is_active).length;
  const close = () => void navigate(path, { replace: true, preventScrollReset: true });
  const edited = alerts.find((alert) => String(alert.id) === search.get('edit'));
  const deleted = alerts.find((alert) => String(alert.id) === search.get('delete'));
  const notice = Object.entries(notices).find(([name]) => search.has(name))?.[1];
  return (
    <>
      <PageHeading title="Price Alerts">{subtitle}</PageHeading>
      <div className={styles.notices}>
        <FormNotice text={notice} kind="success" />
        <FormNotice text={edited ? undefined : error} kind="error" />
      </div>
      {isVerified ? null : (
        <div className={styles.warning}>
          <p>
            Your email address is not verified yet, so no alert can reach you. Your alerts wait
            until it is.
          </p>
          <SendLinkAgain />
        </div>
      )}
      {edited ? (
        <EditAlertDialog key={`edit-${edited.id}`} alert={edited} error={error} onClose={close} />
      ) : null}
      {deleted ? <DeleteAlertDialog alert={deleted} onClose={close} /> : null}
      {alerts.length === 0 ? (
        <MessagePanel
          icon="bell"
          title="No Price Alerts"
          actions={<PrimaryLink to="/price-alerts/new">Create First Alert</PrimaryLink>}
        >
          Tell us what you want to pay for a deal, and we will mail you when it costs that.
        </MessagePanel>
      ) : (
        <>
          <div className={styles.above}>
            <p>{`${active} Active Alert${active === 1 ? '' : 's'}`}</p>
            <PrimaryLink to="/price-alerts/new">New Alert</PrimaryLink>
          </div>
          <ul className={styles.list}>
            {alerts.map((alert) => (
              <li key={alert.id}>
                <AlertCard alert={alert} hasTest={isVerified} />
              </li>
            ))}
          </ul>
        </>
      )}
      {isVerified ? <NotifiedBrowsers publicKey={publicKey} browsers={browsers} /> : null}
    </>
  );
}

/** A safe sentence; the message itself only in development (P18a). */
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
          <ButtonLink look="primary" to={path} isDocument>
            Try Again
          </ButtonLink>
        }
      >
        Error: {message}
      </MessagePanel>
    </>
  );
}
