import styles from './discount-badge.module.css';

export interface ShownDiscount {
  percent: number;
  /**
   * Whether the badge is a store's claim that our log is too short to check, shown as an outline.
   */
  isUnchecked: boolean;
}

/** Renders the discount over a picture. `className` sets its position and size. */
export function DiscountBadge({
  discount: { percent, isUnchecked },
  className = '',
}: {
  discount: ShownDiscount;
  className?: string;
}) {
  return (
    <span className={`${styles.badge} ${className}`} data-unchecked={isUnchecked || undefined}>
      {isUnchecked ? (
        <span className={styles.whose}>Store says </span>
      ) : (
        <span className="visually-hidden">Discount </span>
      )}
      {`−${percent}%`}
    </span>
  );
}
