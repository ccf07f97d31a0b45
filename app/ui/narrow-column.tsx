import type { ReactNode } from 'react';
import styles from './narrow-column.module.css';

/**
 * Renders a page with one task: a centered card with its title, an introduction and a form. Once an
 * island inside it shows `DonePanel`, the introduction and the links below the form are hidden.
 */
export function NarrowPage({
  title,
  intro,
  children,
}: {
  title: ReactNode;
  intro?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={`panel ${styles.page}`}>
      <div>
        <h1>{title}</h1>
        {intro ? (
          <p className={styles.intro} data-before-done>
            {intro}
          </p>
        ) : null}
      </div>
      {children}
    </div>
  );
}

/** Renders a centered column of several cards under one title. */
export function NarrowColumn({
  title,
  intro,
  children,
}: {
  title: ReactNode;
  intro?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={styles.column}>
      <div>
        <h1>{title}</h1>
        {intro ? <p className={styles.intro}>{intro}</p> : null}
      </div>
      {children}
    </div>
  );
}
