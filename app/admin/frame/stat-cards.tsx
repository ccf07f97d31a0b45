import { Link } from '#app/ui/link.tsx';
import styles from './stat-cards.module.css';

export interface Stat {
  label: string;
  value: number | string;
  /** The list that this number counts. */
  href?: string;
}

/** Numbers that link to what they count. */
export function StatCards({ stats }: { stats: readonly Stat[] }) {
  return (
    <ul className={styles.cards}>
      {stats.map(({ label, value, href }) => (
        <li key={label} className={styles.card}>
          <span className={`small ${styles.label}`}>
            {href ? (
              <Link to={href} className={styles.link}>
                {label}
              </Link>
            ) : (
              label
            )}
          </span>
          <strong className={styles.value}>
            {typeof value === 'number' ? value.toLocaleString('en-US') : value}
          </strong>
        </li>
      ))}
    </ul>
  );
}
