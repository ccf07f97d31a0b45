import { AlertDealSummary } from '#app/features/price-alerts/alert-deal-summary.tsx';
import { describeWish } from '#app/features/price-alerts/alert-kind.ts';
import { cadenceLabels } from '#app/features/watched-searches/watch-cadence.ts';
import type { WatchRequest } from '#app/features/watched-searches/watch-requests.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney } from '#app/platform/money.ts';
import { PostButton } from '#app/ui/act-form.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { Link } from '#app/ui/link.tsx';
import { ModalDialog } from '#app/ui/modal-dialog.tsx';
import { overList } from './alert-notices.ts';
import styles from './price-alerts-page.module.css';

/**
 * Requests that the email's owner has not confirmed yet. This page can confirm them too, since the
 * email may be lost.
 */
export function WaitingRequests({
  requests,
  listPath,
}: {
  requests: WatchRequest[];
  listPath: string;
}) {
  const { currency } = useSite();
  if (requests.length === 0) return null;
  const money = (amount: number) => formatMoney(amount, currency);
  return (
    <section className={styles.waiting} aria-labelledby="waiting-title">
      <h2 id="waiting-title">Waiting for your confirmation</h2>
      <p className="small">
        Someone asked for these with your address. We delete them after three days.
      </p>
      <ul>
        {requests.map((request) => {
          const button = request.what === 'search' ? 'Watch this search' : 'Watch this price';
          const name = request.what === 'deal' ? request.deal.title : request.name;
          return (
            <li key={request.id} data-key={request.id}>
              {request.what === 'deal' ? (
                <>
                  <AlertDealSummary deal={request.deal} currency={currency} />
                  <p>{`When ${describeWish(request, money)}`}</p>
                </>
              ) : (
                <>
                  <Link to={request.address}>{name}</Link>
                  <p>{cadenceLabels[request.cadence]}</p>
                </>
              )}
              <PostButton
                fields={{ intent: 'confirm', id: request.id }}
                form={{ action: listPath }}
                aria-label={`${button}: ${name}`}
              >
                {button}
              </PostButton>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const endings = {
  'stop-all': {
    title: 'Stop all',
    question: 'All alerts and watched searches of this address stop until you restart them.',
    button: 'Stop all',
  },
  erase: {
    title: 'Erase everything',
    question:
      'The alerts and watched searches of this address, the address itself and all related emails are deleted for good.',
    button: 'Erase everything',
  },
} as const;
type WayToEnd = keyof typeof endings;

export function isWayToEnd(name: string): name is WayToEnd {
  return Object.hasOwn(endings, name);
}

/** Actions on everything at once, shown below the list. */
export function WaysToEnd({ listPath, hasActive }: { listPath: string; hasActive: boolean }) {
  return (
    <div className={styles.endings}>
      <p className="small">
        With an account you can also save favorites. Create one with this address, and your alerts
        move there automatically. <Link to="/sign-up">Sign up</Link>
      </p>
      <div className={forms.actions}>
        {hasActive ? (
          <ButtonLink to={overList(listPath, 'end=stop-all')} swap="push">
            Stop all
          </ButtonLink>
        ) : null}
        <ButtonLink to={overList(listPath, 'end=erase')} swap="push">
          Erase everything
        </ButtonLink>
      </div>
    </div>
  );
}

export function EndWatchingDialog({
  way,
  email,
  listPath,
}: {
  way: WayToEnd;
  email: string;
  listPath: string;
}) {
  const { title, question, button } = endings[way];
  return (
    <ModalDialog title={title}>
      <form method="post" action={listPath} className={forms.stack} data-in-place="">
        <p>{question}</p>
        <p>
          <strong>{email}</strong>
        </p>
        <div className={forms.actions}>
          <ButtonLink to={listPath} swap="replace">
            Cancel
          </ButtonLink>
          <Button type="submit" name="intent" value={way} variant="danger">
            {button}
          </Button>
        </div>
      </form>
    </ModalDialog>
  );
}
