import type { ReactNode } from 'react';
import styles from './page-heading.module.css';

/** Renders a page's title and the line below it that describes the page. */
export function PageHeading({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="below-5">
      <h1>{title}</h1>
      {children ? <p className={styles.line}>{children}</p> : null}
    </div>
  );
}
