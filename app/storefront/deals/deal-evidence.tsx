import type { ReactNode } from 'react';
import { describeForecast, type ShownForecast } from '#app/features/prices/describe-forecast.ts';
import { describeRaise } from '#app/features/prices/discount-check.ts';
import { inFull, type ShownPrice } from '#app/features/prices/judge-price.ts';
import type { PriceNotes } from '#app/features/prices/price-notes-queries.server.ts';
import { ProofLine } from '#app/features/prices/proof-line.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney } from '#app/platform/money.ts';
import { Link } from '#app/ui/link.tsx';
import { CheckedTime } from './checked-time.tsx';
import type { PageDeal } from './page-deal.ts';
import styles from './deal-evidence.module.css';

interface Props {
  deal: PageDeal;
  price: ShownPrice;
  now: Date;
  raise: PriceNotes['raise'];
  forecast: ShownForecast | null;
}

/** The facts behind the sentence beside the chart, as names and values. */
export function DealEvidence({ deal, price, now, raise, forecast }: Props) {
  const { currency } = useSite();
  const { claim, lowestEver, low30Before, low30Period } = price;
  const keepsHistory = deal.merchant.keep_history;
  return (
    <section aria-labelledby="evidence">
      <h2 id="evidence">The evidence</h2>
      <dl className={styles.evidence}>
        <Row name="Was price">
          {claim.was === null ? null : (
            <s className={styles.was}>{formatMoney(claim.was, currency)}</s>
          )}
          {claim.evidence}
        </Row>
        <Saving claim={claim} isExpired={deal.is_expired} />
        {claim.storePercent === null ? null : (
          <Row name="Store says">{`−${claim.storePercent}%`}</Row>
        )}
        {keepsHistory && !deal.is_expired ? (
          <Row name="In our log">
            <ProofLine proof={{ ...inFull(price), line: null }} />
          </Row>
        ) : null}
        {keepsHistory && lowestEver !== null ? (
          <Row name="Lowest price ever seen here">{formatMoney(lowestEver, currency)}</Row>
        ) : null}
        {keepsHistory && low30Before !== null ? (
          <Row name={`Lowest ${low30Period}`}>{formatMoney(low30Before, currency)}</Row>
        ) : null}
        {raise ? (
          <Row name="Before the reduction">
            {describeRaise(raise.raised_at, raise.began_at)} this reduction.{' '}
            <Link to="/how-we-rank#discount-check">How we count</Link>
          </Row>
        ) : null}
        {forecast ? (
          <Row name="Should I wait?">
            {describeForecast(forecast)}{' '}
            <Link to="/how-we-rank#forecasts">How often we were right</Link>
          </Row>
        ) : null}
        {deal.is_expired ? null : (
          <Row name="At checkout">
            Prices change at any time. This one was correct when we last checked it,{' '}
            <CheckedTime deal={deal} now={now} />; the price {deal.merchant.name} asks at checkout
            is what counts.
          </Row>
        )}
      </dl>
    </section>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Saving({ claim, isExpired }: { claim: ShownPrice['claim']; isExpired: boolean }) {
  const { currency } = useSite();
  const { percent, saved, isUnchecked } = claim;
  if (saved === null) return null;
  return (
    <Row name={isExpired ? 'It saved' : 'You Save'}>
      <span className={styles.saved} data-unchecked={isUnchecked || undefined}>
        {formatMoney(saved, currency)}
        {percent === null ? null : ` (${percent}%)`}
      </span>
      {percent === null || isUnchecked ? null : <DiscountBar percent={percent} />}
    </Row>
  );
}

/**
 * A bar of the discount, hidden from screen readers, since the number beside it states the same.
 */
function DiscountBar({ percent }: { percent: number }) {
  return (
    <svg className={styles.bar} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect className={styles.barWhole} width="100" height="6" />
      <rect className={styles.barPart} width={Math.min(100, Math.max(0, percent))} height="6" />
    </svg>
  );
}
