import type { ReactNode } from 'react';
import { dealStatusLabel } from '#app/features/deals/deal-labels.ts';
import type { Verdict } from '#app/features/prices/price-verdict.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney } from '#app/platform/money.ts';
import { fullTime } from '#app/platform/time-words.ts';
import { Icon } from '#app/ui/icon.tsx';
import { Link } from '#app/ui/link.tsx';
import { CheckedTime } from './checked-time.tsx';
import { GetDealButton } from './get-deal-button.tsx';
import type { PageDeal } from './page-deal.ts';
import styles from './deal-price-box.module.css';

interface Props {
  deal: PageDeal;
  /** The verdict on the price, or `null` if the store wants the price hidden. */
  verdict: Verdict | null;
  /** The price per unit, if known. */
  unit: string | null;
  now: Date;
  /** The favorite, alert and share buttons. */
  actions?: ReactNode;
  /** The coupon code. */
  children?: ReactNode;
}

/** The price in one sentence, and the link to the store. */
export function DealPriceBox({ deal, verdict, unit, now, actions, children }: Props) {
  const site = useSite();
  const { merchant } = deal;
  return (
    <section aria-label="Price" className={styles.box}>
      {verdict === null ? (
        <>
          <p className={styles.hidden}>See price at store</p>
          <p className="small">
            {merchant.name} wants prices shown only while they are fresh, and this one was last
            checked <CheckedTime deal={deal} now={now} />.
          </p>
        </>
      ) : (
        <p className={styles.verdict}>
          <strong className={styles.price}>{verdict.price}</strong>
          {verdict.rest}
        </p>
      )}
      {unit === null ? null : <p className="small">{unit}</p>}

      {deal.availability === 'out_of_stock' && !deal.is_expired ? (
        <p className={`strong ${styles.notice}`}>
          <Icon name="info" size={18} />
          Out of stock at {merchant.name} when last checked.
        </p>
      ) : null}

      {children}
      <div data-stood-for>
        <GetDealButton deal={deal} />
      </div>
      {actions ? (
        <div className={`row gap-tight ${styles.actions}`} data-no-print>
          {actions}
        </div>
      ) : null}

      <ul className={`stack gap-tight table-text ${styles.facts}`}>
        {deal.status === 'used' ? (
          <li>
            <Icon name="tag" size={18} />
            {deal.condition ? `Used: ${dealStatusLabel(deal)}` : 'Used'}
          </li>
        ) : null}
        <li>
          <Icon name="store" size={18} />
          <span>
            Sold at <Link to={`/merchants/${merchant.slug}`}>{merchant.name}</Link>, checked{' '}
            <CheckedTime deal={deal} now={now} />
          </span>
        </li>
        <ShippingFact deal={deal} currency={site.currency} />
      </ul>

      {merchant.show_price_timestamp && verdict ? (
        <p className="small">Price as of {fullTime(deal.price_checked_at, site.timeZone)}.</p>
      ) : null}
      {merchant.price_disclaimer ? <p className="small">{merchant.price_disclaimer}</p> : null}
    </section>
  );
}

/** The deal's own shipping cost, or the store's rule if there is none. */
function ShippingFact({ deal, currency }: { deal: PageDeal; currency: string }) {
  const { free_shipping_over: free, standard_shipping: standard } = deal.merchant;
  const cost = deal.shipping_cost ?? (free === 0 ? 0 : standard);
  const facts = [
    ...(cost === null
      ? []
      : [cost === 0 ? 'Free shipping' : `Shipping ${formatMoney(cost, currency)}`]),
    ...(deal.shipping_cost !== null || cost === 0 || free === null
      ? []
      : [
          `${cost === null ? 'Free shipping' : 'free'} on orders over ${formatMoney(free, currency, { wholeIfRound: true })}`,
        ]),
  ];
  if (facts.length === 0) return null;
  return (
    <li>
      <Icon name="truck" size={18} />
      {facts.join(', ')}
    </li>
  );
}
