import { Icon } from './icon.tsx';
import styles from './chip.module.css';
import { Link } from './link.tsx';

/** A choice among few, as a link; the present one is marked. */
export function ChipLink({
  to,
  isCurrent,
  children,
}: {
  to: string;
  isCurrent: boolean;
  children: string;
}) {
  return (
    <Link className={styles.chip} to={to} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </Link>
  );
}

/**
 * An applied filter whose link removes it. It replaces the address, since removing a filter is no
 * new history entry.
 */
export function RemovableChip({ to, children }: { to: string; children: string }) {
  return (
    <Link className={styles.removable} to={to} swap="push">
      <span className="visually-hidden">Remove filter </span>
      {children}
      <Icon name="close" size={14} />
    </Link>
  );
}
