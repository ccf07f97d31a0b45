import { Icon } from './icon.tsx';
import styles from './breadcrumbs.module.css';
import { Link } from './link.tsx';

export interface Crumb {
  label: string;
  /** The URL, or null for the current page. */
  to: string | null;
}

/** Renders the path from the home page to this one. */
export function Breadcrumbs({ crumbs }: { crumbs: Crumb[] }) {
  return (
    <nav aria-label="Breadcrumb" className={styles.breadcrumbs}>
      <ol>
        {crumbs.map(({ label, to }) => (
          <li key={to ?? 'here'}>
            {to === null ? (
              <span aria-current="page">{label}</span>
            ) : (
              <>
                <Link to={to}>{label}</Link>
                <Icon name="chevron-right" size={14} />
              </>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
