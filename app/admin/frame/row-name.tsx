import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { Link } from '#app/ui/link.tsx';
import { useMayChange } from './may-change.ts';
import styles from './row-name.module.css';

/**
 * The first cell of a row: picture, linked name, a line of details and badges. The name links to
 * the form, except for users who may only read.
 */
export function RowName({
  picture,
  href,
  name,
  note,
  children,
}: {
  picture?: ReactNode;
  /** The URL that opens over the list, keeping the list's search. */
  href: string;
  name: string;
  note?: string;
  children?: ReactNode;
}) {
  const { search } = useLocation();
  const isLink = useMayChange();
  return (
    <span className={styles.name}>
      {picture}
      <span className={styles.words}>
        {isLink ? (
          <Link to={href + search} data-key-open>
            {name}
          </Link>
        ) : (
          <span>{name}</span>
        )}
        {note ? <span className="clip small">{note}</span> : null}
        {children ? <span className={`row gap-1 ${styles.badges}`}>{children}</span> : null}
      </span>
    </span>
  );
}
