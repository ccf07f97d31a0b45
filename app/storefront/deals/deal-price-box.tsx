import type { ReactNode } from 'react';
import { inFull, type ShownPrice } from '#app/features/prices/judge-price.ts';
import { ProofLine } from '#app/features/prices/proof-line.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney } from '#app/platform/money.ts';
import { fullTime, timeAgo } from '#app/platform/time-words.ts';
import { Icon } from '#app/ui/icon.tsx';
import { Link } from '#app/ui/link.tsx';
import { GetDealButton } from './get-deal-button.tsx';
import type { PageDeal } from './page-deal.ts';
import styles from './deal-price-box.module.css';

/** The price with its evidence, and the link to the store. */
export function DealPriceBox({
  deal,
  price,
  now,
  actions,
}: {
  deal: PageDeal;
  /** `null` if the store wants the price hidden. */
  price: ShownPrice | null;
  now: Date;
  /** Favorite, alert and share. */
  actions?: ReactNode;
}) {
  const site = useSite();
  return (
    <section aria-label="Price" className={styles.box}>
      {price === null ? (
        <>
          <p className={styles.hidden}>See price at store</p>
          <p className="small">
            {deal.merchant.name} wants prices shown only while they are fresh, and this one was last
            checked <CheckedTime deal={deal} now={now} />.
          </p>
        </>
      ) : (
        <>
          <PriceWords deal={deal} price={price} />
          {deal.merchant.keep_history ? (
            <>
              {deal.is_expired ? null : <ProofLine proof={inFull(price)} />}
              <KnownLows price={price} />
            </>
          ) : null}
        </>
      )}

      {deal.availability === 'out_of_stock' && !deal.is_expired ? (
        <p className={`strong ${styles.notice}`}>
          <Icon name="info" size={18} />
          Out of stock at {deal.merchant.name} when last checked.
        </p>
      ) : null}

      <div data-stood-for>
        <GetDealButton deal={deal} />
      </div>
      {actions ? <div className={`row gap-tight ${styles.actions}`}>{actions}</div> : null}

      <ul className={`stack gap-tight table-text ${styles.facts}`}>
        <li>
          <Icon name="store" size={18} />
          <span>
            Sold at <Link to={`/merchants/${deal.merchant.slug}`}>{deal.merchant.name}</Link>,
            checked <CheckedTime deal={deal} now={now} />
          </span>
        </li>
        {deal.merchant.free_shipping_over === null ? null : (
          <li>
            <Icon name="truck" size={18} />
            {deal.merchant.free_shipping_over === 0
              ? 'Free shipping'
              : `Free shipping on orders over ${formatMoney(deal.merchant.free_shipping_over, site.currency, { wholeIfRound: true })}`}
          </li>
        )}
      </ul>

      {price === null || deal.is_expired ? null : (
        <p className={styles.warning}>
          <Icon name="alert" size={18} />
          <span>
            Prices change at any time. This one was correct when we last checked it,{' '}
            <CheckedTime deal={deal} now={now} />; the price {deal.merchant.name} asks at checkout
            is the one that counts.
          </span>
        </p>
      )}
      {deal.merchant.show_price_timestamp && price ? (
        <p className="small">Price as of {fullTime(deal.price_checked_at, site.timeZone)}.</p>
      ) : null}
      {deal.merchant.price_disclaimer ? (
        <p className="small">{deal.merchant.price_disclaimer}</p>
      ) : null}
    </section>
  );
}

function PriceWords({ deal, price }: { deal: PageDeal; price: ShownPrice }) {
  const { currency } = useSite();
  const { claim } = price;
  return (
    <>
      <p className={styles.prices}>
        <strong className={styles.price}>
          <span className="visually-hidden">{deal.is_expired ? 'Last price ' : 'Now '}</span>
          {formatMoney(price.now, currency)}
        </strong>
        {claim.was === null ? null : (
          <s className={styles.was}>
            <span className="visually-hidden">Was </span>
            {formatMoney(claim.was, currency)}
          </s>
        )}
      </p>
      {claim.saved === null ? null : (
        <p className={styles.saved} data-unchecked={claim.isUnchecked || undefined}>
          {deal.is_expired ? 'It saved' : 'You Save'} {formatMoney(claim.saved, currency)}
          {claim.percent === null ? null : ` (${claim.percent}%)`}
        </p>
      )}
      {claim.percent === null || claim.isUnchecked ? null : <DiscountBar percent={claim.percent} />}
      {claim.storePercent === null ? null : (
        <p className="small">{`Store says −${claim.storePercent}%`}</p>
      )}
      <p className="small">{claim.evidence}</p>
    </>
  );
}

/**
 * A bar of the discount, hidden from screen readers, since the sentence above has the same content.
 */
function DiscountBar({ percent }: { percent: number }) {
  return (
    <svg className={styles.bar} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect className={styles.barWhole} width="100" height="6" />
      <rect className={styles.barPart} width={Math.min(100, Math.max(0, percent))} height="6" />
    </svg>
  );
}

/** The known lows, or nothing if our log has none. */
function KnownLows({ price: { lowestEver, low30Before, low30Period } }: { price: ShownPrice }) {
  const { currency } = useSite();
  if (lowestEver === null && low30Before === null) return null;
  return (
    <dl className={styles.lows}>
      {lowestEver === null ? null : (
        <div>
          <dt>Lowest price ever seen here</dt>
          <dd>{formatMoney(lowestEver, currency)}</dd>
        </div>
      )}
      {low30Before === null ? null : (
        <div>
          <dt>Lowest {low30Period}</dt>
          <dd>{formatMoney(low30Before, currency)}</dd>
        </div>
      )}
    </dl>
  );
}

function CheckedTime({ deal, now }: { deal: PageDeal; now: Date }) {
  const { timeZone } = useSite();
  return (
    <time
      dateTime={deal.price_checked_at.toISOString()}
      title={fullTime(deal.price_checked_at, timeZone)}
    >
      {timeAgo(deal.price_checked_at, now)}
    </time>
  );
}
