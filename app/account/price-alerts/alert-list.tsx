import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { AlertView } from '#app/features/price-alerts/alert-queries.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { PrimaryLink } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { AlertCard } from './alert-card.tsx';
import { DeleteAlertDialog, EditAlertDialog } from './alert-dialogs.tsx';
import { alertNotices } from './alert-notices.ts';
import styles from './price-alerts-page.module.css';

/** All alerts of one owner, the last action's notice, and the open dialog. */
export function AlertList({
  alerts,
  listPath,
  error,
  hasTest = false,
  hasChannel = false,
  children,
}: {
  alerts: AlertView[];
  listPath: string;
  error: string | undefined;
  /** Whether a test email can be sent, which needs a verified email. */
  hasTest?: boolean;
  /** Whether the owner has a channel, and may choose where alerts go. */
  hasChannel?: boolean;
  /** Content between the notice and the list. */
  children?: ReactNode;
}) {
  const [search] = useSearchParams();
  const { currency } = useSite();
  // Alerts in another currency are paused.
  const active = alerts.filter((one) => one.is_active && one.currency === currency).length;
  const edited = alerts.find((alert) => String(alert.id) === search.get('edit'));
  const deleted = alerts.find((alert) => String(alert.id) === search.get('delete'));
  const notice = Object.entries(alertNotices).find(([name]) => search.has(name))?.[1];
  return (
    <>
      <div className={styles.notices}>
        <FormNotice text={notice} kind="success" />
        <FormNotice text={edited ? undefined : error} kind="error" />
      </div>
      {children}
      {edited ? <EditAlertDialog {...{ error, listPath, hasChannel }} alert={edited} /> : null}
      {deleted ? <DeleteAlertDialog alert={deleted} listPath={listPath} /> : null}
      {alerts.length === 0 ? (
        <MessagePanel
          icon="bell"
          title="No Price Alerts"
          actions={<PrimaryLink to="/price-alerts/new">Create First Alert</PrimaryLink>}
        >
          Set the price you want to pay for a deal, and we’ll email you when it drops to this price.
        </MessagePanel>
      ) : (
        <>
          <div className="bar spread gap-4 below-4">
            <p>{`${active} Active Alert${active === 1 ? '' : 's'}`}</p>
            <PrimaryLink to="/price-alerts/new">New Alert</PrimaryLink>
          </div>
          <ul className="stack gap-4">
            {alerts.map((alert) => (
              <li key={alert.id} data-key={alert.id}>
                <AlertCard alert={alert} hasTest={hasTest} listPath={listPath} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
