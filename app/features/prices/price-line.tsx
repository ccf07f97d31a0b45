import { formatMoney } from '#app/platform/money.ts';
import type { PriceClaim } from './price-claims.ts';
import styles from './price-line.module.css';

/** The present price, what it was, and what that saves; never told by colour alone. */
export function PriceLine({
  salePrice,
  claim,
  currency,
}: {
  salePrice: number;
  claim: PriceClaim;
  currency: string;
}) {
  return (
    <p className={styles.line}>
      <strong className={styles.now}>
        <span className="visually-hidden">Now </span>
        {formatMoney(salePrice, currency)}
      </strong>
      {claim.was === null ? null : (
        <s className={styles.was}>
          <span className="visually-hidden">Was </span>
          {formatMoney(claim.was, currency)}
        </s>
      )}
      {claim.saved === null ? null : (
        <span className={styles.saved}>Save {formatMoney(claim.saved, currency)}</span>
      )}
    </p>
  );
}
