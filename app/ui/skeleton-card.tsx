import card from './card.module.css';
import styles from './skeleton-card.module.css';

/** Renders the placeholder of a card while its list loads, with the same geometry but no text. */
export function SkeletonCard() {
  return (
    <div className={`${card.card} ${styles.card}`} aria-hidden="true">
      <span className={styles.picture} />
      <span className={styles.body}>
        <span className={styles.line} data-width="half" />
        <span className={styles.line} />
        <span className={styles.line} data-width="most" />
        <span className={styles.price} />
        <span className={styles.line} data-width="half" />
        <span className={styles.button} />
      </span>
    </div>
  );
}
