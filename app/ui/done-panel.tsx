import { type ReactNode, useEffect, useRef } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './done-panel.module.css';

/**
 * Replaces an accepted form with the outcome and the next step. `address` is the email address that
 * an email was sent to.
 */
export function DonePanel({
  icon = 'mail',
  title = 'Check your inbox',
  titleId,
  address,
  actions,
  isNew,
  children,
}: {
  icon?: IconName;
  title?: string;
  titleId?: string;
  address?: string | undefined;
  actions?: ReactNode;
  /** Whether the response arrived on this page, which moves the focus to the panel. */
  isNew?: boolean;
  children: ReactNode;
}) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isNew) return;
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: 'center' });
  }, [isNew]);
  return (
    <div
      ref={panel}
      className={styles.panel}
      data-done
      tabIndex={isNew === undefined ? undefined : -1}
    >
      <span className={styles.icon}>
        <Icon name={icon} size={24} />
      </span>
      <div className="stack gap-2">
        <h2 id={titleId}>{title}</h2>
        <div role="status">{children}</div>
        {address ? <p className="anywhere strong">{address}</p> : null}
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </div>
    </div>
  );
}
