import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { Link } from '#app/ui/link.tsx';
import styles from './row-name.module.css';

/** The first cell of a row: picture, linked name, a line of details and badges. */
export function RowName({
  picture,
  href,
  name,
  note,
  children,
}: {
  picture?: ReactNode;
  /** The address that opens over the list, keeping the list's search. */
  href: string;
  name: string;
  note?: string;
  children?: ReactNode;
}) {
  const { search } = useLocation();
  return (
    <span className={styles.name}>
      {picture}
      <span className={styles.words}>
        <Link to={href + search} data-key-open>
          {name}
        </Link>
        {note ? <span className="clip small">{note}</span> : null}
        {children ? <span className={`row gap-1 ${styles.badges}`}>{children}</span> : null}
      </span>
    </span>
  );
}
