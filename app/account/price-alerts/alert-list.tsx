import type { ReactNode } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { AlertView } from '#app/features/price-alerts/alert-queries.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { PrimaryLink } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { AlertCard } from './alert-card.tsx';
import { DeleteAlertDialog, EditAlertDialog } from './alert-dialogs.tsx';
import { alertNotices } from './alert-notices.ts';
import styles from './price-alerts-page.module.css';

/** All alerts of one owner, what was just done with them, and the dialog that is open over them. */
export function AlertList({
  alerts,
  listPath,
  error,
  hasTest = false,
  children,
}: {
  alerts: AlertView[];
  listPath: string;
  error: string | undefined;
  /** Whether the mail can be tried: to a proved address only (R59). */
  hasTest?: boolean;
  /** Stands between what was done and the list. */
  children?: ReactNode;
}) {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const { currency } = useSite();
  // Those in another currency are paused.
  const active = alerts.filter((one) => one.is_active && one.currency === currency).length;
  const close = () => void navigate(listPath, { replace: true, preventScrollReset: true });
  const edited = alerts.find((alert) => String(alert.id) === search.get('edit'));
  const deleted = alerts.find((alert) => String(alert.id) === search.get('delete'));
  const notice = Object.entries(alertNotices).find(([name]) => search.has(name))?.[1];
  const over = { listPath, onClose: close };
  return (
    <>
      <div className={styles.notices}>
        <FormNotice text={notice} kind="success" />
        <FormNotice text={edited ? undefined : error} kind="error" />
      </div>
      {children}
      {edited ? (
        <EditAlertDialog key={`edit-${edited.id}`} alert={edited} error={error} {...over} />
      ) : null}
      {deleted ? <DeleteAlertDialog alert={deleted} {...over} /> : null}
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
          <div className="bar spread gap-4 below-4">
            <p>{`${active} Active Alert${active === 1 ? '' : 's'}`}</p>
            <PrimaryLink to="/price-alerts/new">New Alert</PrimaryLink>
          </div>
          <ul className="stack gap-4">
            {alerts.map((alert) => (
              <li key={alert.id}>
                <AlertCard alert={alert} hasTest={hasTest} listPath={listPath} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
