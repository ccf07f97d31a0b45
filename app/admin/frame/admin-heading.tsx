import type { ReactNode } from 'react';
import { ButtonLink } from '#app/ui/button.tsx';
import styles from './admin-heading.module.css';

/** A screen's title with its primary action, which the key `n` triggers too. */
export function AdminHeading({
  title,
  stats,
  children,
  action,
  more,
}: {
  title: string;
  /** Numbers beside the title. */
  stats?: ReactNode;
  /** The text below the title. */
  children?: ReactNode;
  action?: { href: string; label: string };
  /** Secondary actions, shown before the primary one. */
  more?: ReactNode;
}) {
  return (
    <header className={styles.heading}>
      <div className={styles.words}>
        <div className={styles.line}>
          <h1>{title}</h1>
          {stats}
        </div>
        {children ? <p>{children}</p> : null}
      </div>
      <div className="row gap-2">
        {more}
        {action ? (
          <ButtonLink to={action.href} variant="primary" data-key-new>
            {action.label}
          </ButtonLink>
        ) : null}
      </div>
    </header>
  );
}
