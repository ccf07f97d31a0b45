import type { ReactNode } from 'react';
import styles from './narrow-column.module.css';

interface ColumnProps {
  title: ReactNode;
  intro?: ReactNode;
  children: ReactNode;
}

/**
 * Renders a page with one task: a centered card with its title, an introduction and a form. Once an
 * island inside it shows `DonePanel`, the introduction and the links below the form are hidden.
 */
export function NarrowPage(props: ColumnProps) {
  return <Column className={`panel ${styles.page}`} {...props} />;
}

/** Renders a centered column of several cards under one title. */
export function NarrowColumn(props: ColumnProps) {
  return <Column className={styles.column} {...props} />;
}

function Column({
  className,
  title,
  intro,
  children,
}: ColumnProps & { className: string | undefined }) {
  return (
    <div className={className}>
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
