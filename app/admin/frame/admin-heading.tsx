import type { ReactNode } from 'react';
import { ButtonLink } from '#app/ui/button.tsx';
import styles from './admin-heading.module.css';

/** A screen's title with its primary action, which the key `n` opens too. */
export function AdminHeading({
  title,
  children,
  action,
  more,
}: {
  title: string;
  /** The text below the title. */
  children?: ReactNode;
  action?: { href: string; label: string };
  /** Secondary actions, shown before the primary one. */
  more?: ReactNode;
}) {
  return (
    <header className={styles.heading}>
      <div className={styles.words}>
        <h1>{title}</h1>
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
