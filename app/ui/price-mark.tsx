import styles from './price-mark.module.css';

/** Renders the mark: a price line that falls to a low. */
export function PriceMark() {
  return (
    <svg className={styles.mark} viewBox="4 10 56 44" width={28} height={22} aria-hidden>
      <path d="M9 19h15v14h14v12h10" />
      <circle cx={51} cy={45} r={7.5} />
    </svg>
  );
}
