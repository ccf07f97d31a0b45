import { DealPicture } from '#app/features/deals/deal-picture.tsx';
import { describeAlert } from '#app/features/price-alerts/alert-kind.ts';
import type { AlertView, FiredEvent } from '#app/features/price-alerts/alert-queries.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney } from '#app/platform/money.ts';
import { fullTime, longDate } from '#app/platform/time-words.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { PostButton } from '#app/ui/act-form.tsx';
import { Link } from '#app/ui/link.tsx';
import { overList } from './alert-notices.ts';
import styles from './price-alerts-page.module.css';

/** One alert with its target, its history and the status of its emails. */
export function AlertCard({
  alert,
  listPath,
  hasTest,
}: {
  alert: AlertView;
  listPath: string;
  /** Whether a test email can be sent, which needs a verified email. */
  hasTest: boolean;
}) {
  const { currency, timeZone } = useSite();
  const { deal } = alert;
  const title = deal.title || 'Deal Title';
  const isPaused = alert.is_active && alert.currency !== currency;
  const target = (amount: number) => formatMoney(amount, alert.currency);
  const facts = [
    [
      'Current Price',
      deal.sale_price === null ? 'See price at store' : formatMoney(deal.sale_price, deal.currency),
    ],
    [alert.kind === 'target' ? 'Target Price' : 'Waits For', describeAlert(alert, target)],
    ['Status', isPaused ? 'Paused' : alert.is_active ? 'Active' : 'Inactive'],
    ['Created', longDate(alert.created_at, timeZone)],
  ] as const;
  return (
    <article className={styles.card}>
      <DealPicture src={deal.picture} alt="" title={deal.title} sizes="7rem" most={320} />
      <div className="stack gap-2 titles">
        <h2>{deal.isListed ? <Link to={`/deals/${deal.slug}`}>{title}</Link> : title}</h2>
        <p className="small">{deal.merchantName || 'Unknown Merchant'}</p>
        <dl className={styles.facts}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd data-active={(name === 'Status' && value === 'Active') || undefined}>{value}</dd>
            </div>
          ))}
        </dl>
        {isPaused ? (
          <p className="small">
            Prices are now in {currency}, so this alert in {alert.currency} is paused. Edit it to
            use {currency}.
          </p>
        ) : null}
        {deal.waitsForPrice ? (
          <p className="small">This deal is waiting for a price in {currency}.</p>
        ) : deal.is_expired || !deal.isListed ? (
          <p className="small">This deal has expired, so the alert cannot fire.</p>
        ) : deal.allowsAlerts ? null : (
          <p className="small">This store no longer allows price alerts.</p>
        )}
        {alert.risesAbove === null ? null : (
          <p className="small">
            It fires again once the price has risen above {target(alert.risesAbove)}.
          </p>
        )}
        {alert.history.length > 0 ? (
          <details className={styles.history}>
            <summary>History ({alert.history.length})</summary>
            <ul>
              {alert.history.map((event) => (
                <li key={event.id}>
                  {fullTime(event.fired_at, timeZone)}
                  {pricesOf(event)}. {mailWords[event.mail]}
                </li>
              ))}
            </ul>
          </details>
        ) : null}
      </div>
      <div className={`stack gap-2 ${styles.actions}`}>
        <ButtonLink
          to={overList(listPath, `edit=${alert.id}`)}
          swap="push"
          aria-label={`${alert.is_active ? 'Edit' : 'Edit or arm again'}: ${title}`}
        >
          {alert.is_active ? 'Edit' : 'Edit or arm again'}
        </ButtonLink>
        {hasTest ? (
          <PostButton
            fields={{ intent: 'test', id: alert.id }}
            form={{ action: listPath }}
            aria-label={`Send me a test: ${title}`}
          >
            Send me a test
          </PostButton>
        ) : null}
        <ButtonLink
          to={overList(listPath, `delete=${alert.id}`)}
          swap="push"
          aria-label={`Delete: ${title}`}
        >
          Delete
        </ButtonLink>
      </div>
    </article>
  );
}

function pricesOf({ new_price, old_price, currency }: FiredEvent): string {
  const money = (amount: number) => formatMoney(amount, currency);
  if (new_price === null) return '';
  const was = old_price !== null && old_price !== new_price ? `, was ${money(old_price)}` : '';
  return `: ${money(new_price)}${was}`;
}

const mailWords: Record<FiredEvent['mail'], string> = {
  waiting: 'The email is on its way.',
  sent: 'The email was sent.',
  kept: 'This site sends no email yet, so the administrator has the message.',
  failed: 'The email could not be delivered.',
  cancelled: 'The email was cancelled, since you changed the alert first.',
  newer: 'No email: the alert fired again before it could be sent.',
  forgotten: 'The email’s status is no longer stored.',
  digest: 'Included in that day’s summary email.',
  same_drop: 'No email: we already told you about this drop.',
  unverified: 'No email: your address was not verified.',
  price_rose: 'No email: the price had risen again, so the alert was re-armed.',
};
