import { formatMoney } from '#app/platform/money.ts';
import type { CardPrice } from './price-deals.server.ts';
import styles from './price-line.module.css';

/**
 * Renders the current price, the earlier one, and the saving, never by color alone. Prices are in
 * minor units.
 */
export function PriceLine({
  price: { now, was, saved, isUnchecked, unit },
  currency,
}: {
  price: Pick<CardPrice, 'now' | 'was' | 'saved' | 'isUnchecked' | 'unit'>;
  currency: string;
}) {
  return (
    <p className={styles.line}>
      <strong className={styles.now}>
        <span className="visually-hidden">Now </span>
        {formatMoney(now, currency)}
      </strong>
      {was === null ? null : (
        <s className="muted">
          <span className="visually-hidden">Was </span>
          {formatMoney(was, currency)}
        </s>
      )}
      {saved === null ? null : (
        <span
          className={styles.saved}
          data-unchecked={isUnchecked || undefined}
        >{`Save ${formatMoney(saved, currency)}`}</span>
      )}
      {unit === null ? null : <span className={`small ${styles.unit}`}>{unit}</span>}
    </p>
  );
}
