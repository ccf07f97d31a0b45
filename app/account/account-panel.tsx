import type { ReactNode } from 'react';
import { Link } from 'react-router';
import formStyles from '#app/features/accounts/account-form.module.css';
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

/** Below the form: where else to go. */
export function PanelLink({ to, children }: { to: string; children: string }) {
  return (
    <p className={formStyles.switch}>
      <Link to={to}>{children}</Link>
    </p>
  );
}
