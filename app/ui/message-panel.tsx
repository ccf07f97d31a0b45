import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './message-panel.module.css';

/**
 * Renders the message of a page that has nothing to list or failed: what happened, why, and one
 * thing to do.
 */
export function MessagePanel({
  icon,
  title,
  titleId,
  level = 2,
  children,
  actions,
}: {
  icon: IconName;
  title: string;
  titleId?: string;
  level?: 1 | 2 | 3;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  const Heading = `h${level}` as const;
  return (
    <div className={styles.panel}>
      <span className={styles.icon}>
        <Icon name={icon} size={28} />
      </span>
      <Heading id={titleId}>{title}</Heading>
      {children ? <div className={styles.text}>{children}</div> : null}
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </div>
  );
}
