import { Link } from '#app/ui/link.tsx';
import type { Stat } from './stat-cards.tsx';
import styles from './stat-line.module.css';

/** The numbers of a list in one line, each linked to what it counts. The shown list is marked. */
export function StatLine({ stats, here }: { stats: readonly Stat[]; here: string }) {
  return (
    <ul className={styles.line}>
      {stats.map(({ label, value, href }) => (
        <li key={label}>
          {href === undefined ? (
            <span className={styles.stat}>
              <Words label={label} value={value} />
            </span>
          ) : (
            <Link
              to={href}
              className={styles.stat}
              aria-current={href === here ? 'page' : undefined}
            >
              <Words label={label} value={value} />
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}

function Words({ label, value }: Pick<Stat, 'label' | 'value'>) {
  return (
    <>
      {`${label} `}
      <strong>{typeof value === 'number' ? value.toLocaleString('en-US') : value}</strong>
    </>
  );
}
