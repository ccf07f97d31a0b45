import type { ReactNode } from 'react';
import styles from './account-panel.module.css';

/** The narrow frame of a page with one form. */
export function AccountPanel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.panel}>
      <h1>{title}</h1>
      {children}
    </div>
  );
}
