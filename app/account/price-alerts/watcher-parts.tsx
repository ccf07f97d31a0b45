import { Form } from 'react-router';
import { AlertDealSummary } from '#app/features/price-alerts/alert-deal-summary.tsx';
import { describeWish } from '#app/features/price-alerts/alert-kind.ts';
import type { WatchRequest } from '#app/features/price-alerts/watcher-queries.server.ts';
import type { SearchRequest } from '#app/features/watched-searches/confirm-search.server.ts';
import { cadenceLabels } from '#app/features/watched-searches/watch-cadence.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney } from '#app/platform/money.ts';
import { PostButton } from '#app/ui/act-form.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { Link } from '#app/ui/link.tsx';
import { ModalDialog } from '#app/ui/modal-dialog.tsx';
import { overList } from './alert-notices.ts';
import styles from './price-alerts-page.module.css';

/** What the address was entered for and has not confirmed: the mail that asks may be missing, this page is as good. */
export function WaitingRequests({
  requests,
  searches,
  listPath,
}: {
  requests: WatchRequest[];
  searches: SearchRequest[];
  listPath: string;
}) {
  const { currency } = useSite();
  if (requests.length + searches.length === 0) return null;
  return (
    <section className={styles.waiting} aria-labelledby="waiting-title">
      <h2 id="waiting-title">Waiting for your yes</h2>
      <p className="small">
        Somebody asked for these with your address. After three days they are forgotten.
      </p>
      <ul>
        {requests.map((request) => (
          <li key={request.id}>
            <AlertDealSummary deal={request.deal} currency={currency} />
            <p>{`When ${describeWish(request, (amount) => formatMoney(amount, currency))}`}</p>
            <PostButton
              fields={{ intent: 'confirm', id: request.id }}
              form={{ action: listPath, preventScrollReset: true }}
              aria-label={`Watch this price: ${request.deal.title}`}
            >
              Watch this price
            </PostButton>
          </li>
        ))}
        {searches.map(({ id, name, address, cadence }) => (
          <li key={id}>
            <Link to={address}>{name}</Link>
            <p>{cadenceLabels[cadence]}</p>
            <PostButton
              fields={{ intent: 'confirm', id }}
              form={{ action: listPath, preventScrollReset: true }}
              aria-label={`Watch this search: ${name}`}
            >
              Watch this search
            </PostButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

const endings = {
  'stop-all': {
    title: 'Stop all',
    question:
      'Every alert and every watched search of this address rests until you start it again.',
    button: 'Stop all',
  },
  erase: {
    title: 'Erase everything',
    question:
      'The alerts and watched searches of this address, the address itself and the mails about them are deleted for good.',
    button: 'Erase everything',
  },
} as const;
type WayToEnd = keyof typeof endings;

export function isWayToEnd(name: string): name is WayToEnd {
  return Object.hasOwn(endings, name);
}

/** Below the list: what to do with all of it. */
export function WaysToEnd({ listPath, hasActive }: { listPath: string; hasActive: boolean }) {
  return (
    <div className={styles.endings}>
      <p className="small">
        With an account you keep favorites too. Make one with this address, and all of this moves
        there by itself. <Link to="/sign-up">Sign up</Link>
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
  onClose,
}: {
  way: WayToEnd;
  email: string;
  listPath: string;
  onClose: () => void;
}) {
  const { title, question, button } = endings[way];
  return (
    <ModalDialog title={title} onClose={onClose}>
      <Form method="post" action={listPath} className={forms.stack} preventScrollReset>
        <p>{question}</p>
        <p>
          <strong>{email}</strong>
        </p>
        <div className={forms.actions}>
          <ButtonLink to={listPath} swap="replace">
            Cancel
          </ButtonLink>
          <Button type="submit" name="intent" value={way} look="danger">
            {button}
          </Button>
        </div>
      </Form>
    </ModalDialog>
  );
}
