import { Icon } from './icon.tsx';
import styles from './chip.module.css';
import { Link } from './link.tsx';

/** Renders one of a few options as a link, and marks the current option. */
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

/** Renders an applied filter whose link removes it and adds a history entry. */
export function RemovableChip({ to, children }: { to: string; children: string }) {
  return (
    <Link className={styles.removable} to={to} swap="push">
      <span className="visually-hidden">Remove filter </span>
      {children}
      <Icon name="close" size={14} />
    </Link>
  );
}
