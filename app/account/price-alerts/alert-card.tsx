import { DealPicture } from '#app/features/deals/deal-picture.tsx';
import { describeAlert } from '#app/features/price-alerts/alert-kind.ts';
import { lineHeight, lineWidth } from '#app/features/price-alerts/alert-line.ts';
import type { AlertView, FiredEvent } from '#app/features/price-alerts/alert-queries.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney } from '#app/platform/money.ts';
import { fullTime, longDate, shortDate } from '#app/platform/time-words.ts';
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
  const { timeZone } = useSite();
  const { deal } = alert;
  const title = deal.title || 'Deal Title';
  return (
    <article className={styles.card}>
      <DealPicture src={deal.picture} alt="" title={deal.title} sizes="5rem" most={320} />
      <div className="titles">
        <h2>{deal.isListed ? <Link to={`/deals/${deal.slug}`}>{title}</Link> : title}</h2>
        <p className="small">
          {deal.merchantName || 'Unknown Merchant'} · Created {longDate(alert.created_at, timeZone)}
        </p>
      </div>
      <PriceToTarget alert={alert} />
      <div className={styles.foot}>
        <Facts alert={alert} />
        <Actions alert={alert} title={title} listPath={listPath} hasTest={hasTest} />
      </div>
      <Notes alert={alert} />
    </article>
  );
}

/**
 * The prices of the last 90 days with the target as a dashed line, and the distance to it in words.
 */
function PriceToTarget({ alert: { line, deal, target_price, currency } }: { alert: AlertView }) {
  if (!line) return null;
  const isComparable = target_price !== null && deal.currency === currency;
  const left = isComparable ? (deal.sale_price ?? 0) - target_price : null;
  return (
    <div className={styles.line}>
      <svg viewBox={`0 0 ${lineWidth} ${lineHeight}`} preserveAspectRatio="none" aria-hidden="true">
        {line.targetY === null ? null : <path d={`M0 ${line.targetY}H${lineWidth}`} />}
        <path d={line.path} />
      </svg>
      {left === null ? null : (
        <p className="small figures">
          {left > 0 ? `${formatMoney(left, currency)} above your target` : 'At your target'}
        </p>
      )}
    </div>
  );
}

function Facts({ alert }: { alert: AlertView }) {
  const { currency } = useSite();
  const { deal } = alert;
  const status = describeStatus(alert, useSite());
  const facts = [
    [
      'Current Price',
      deal.sale_price === null ? 'See price at store' : formatMoney(deal.sale_price, deal.currency),
    ],
    [
      alert.kind === 'target' ? 'Target Price' : 'Alert When',
      describeAlert(alert, (amount) => formatMoney(amount, alert.currency)),
    ],
    ['Status', alert.is_active && alert.currency !== currency ? 'Paused' : status],
  ] as const;
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd data-active={(name === 'Status' && value === 'Active') || undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Describes an ended alert by what it did, such as "Sent on Nov 24, 2026 at $80.00". */
function describeStatus(
  { is_active, fired_at, fired_price, currency, history }: AlertView,
  { timeZone }: { timeZone: string },
): string {
  if (is_active) return 'Active';
  if (fired_at === null) return 'Inactive';
  const mail = history[0]?.mail;
  const verb = mail === 'sent' || mail === 'channel' || mail === 'digest' ? 'Sent' : 'Fired';
  const price = fired_price === null ? '' : ` at ${formatMoney(fired_price, currency)}`;
  return `${verb} on ${shortDate(fired_at, timeZone)}${price}`;
}

function Actions({
  alert: { id, is_active },
  title,
  listPath,
  hasTest,
}: {
  alert: AlertView;
  title: string;
  listPath: string;
  hasTest: boolean;
}) {
  const edit = is_active ? 'Edit' : 'Edit or re-arm';
  return (
    <div className={styles.acts}>
      <ButtonLink
        variant="quiet"
        to={overList(listPath, `edit=${id}`)}
        swap="push"
        aria-label={`${edit}: ${title}`}
      >
        {edit}
      </ButtonLink>
      {hasTest ? (
        <PostButton
          variant="quiet"
          fields={{ intent: 'test', id }}
          form={{ action: listPath }}
          aria-label={`Send me a test: ${title}`}
        >
          Send me a test
        </PostButton>
      ) : null}
      <ButtonLink
        variant="quiet"
        to={overList(listPath, `delete=${id}`)}
        swap="push"
        aria-label={`Delete: ${title}`}
      >
        Delete
      </ButtonLink>
    </div>
  );
}

/** Explains why an alert cannot fire now, and lists when it fired. */
function Notes({ alert }: { alert: AlertView }) {
  const { currency, timeZone } = useSite();
  const { deal } = alert;
  const isPaused = alert.is_active && alert.currency !== currency;
  return (
    <div className={styles.notes}>
      {isPaused ? (
        <p className="small">
          Prices are now in {currency}, so this alert in {alert.currency} is paused. Edit it to use{' '}
          {currency}.
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
          It fires again once the price has risen above{' '}
          {formatMoney(alert.risesAbove, alert.currency)}.
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
  channel: 'The message was sent to your channel.',
  kept: 'This site sends no email yet, so the administrator has the message.',
  failed: 'The email could not be delivered.',
  cancelled: 'The email was canceled, since you changed the alert first.',
  newer: 'No email: the alert fired again before it could be sent.',
  forgotten: 'The email’s status is no longer stored.',
  digest: 'Included in that day’s summary email.',
  same_drop: 'No email: we already told you about this drop.',
  unverified: 'No email: your address was not verified.',
  price_rose: 'No email: the price had risen again, so the alert was re-armed.',
};
