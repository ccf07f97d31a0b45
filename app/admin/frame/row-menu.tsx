import type { ReactNode } from 'react';
import { useId } from 'react';
import { AdminIcon } from './admin-icon.tsx';
import styles from './row-menu.module.css';

/**
 * The last cell of a row, with all its actions. The menu is a popover, so that it opens without
 * JavaScript.
 */
export function RowMenu({
  label,
  children,
}: {
  /** The name of the row, such as "Stand mixer". */
  label: string;
  /** Links, buttons and forms, each with `menuItemClass`. */
  children: ReactNode;
}) {
  const id = useId();
  return (
    <>
      <button
        type="button"
        className={styles.open}
        popoverTarget={id}
        aria-label={`Actions for ${label}`}
        data-key-menu
      >
        <AdminIcon name="more" />
      </button>
      <div id={id} popover="auto" className={styles.menu}>
        {children}
      </div>
    </>
  );
}

export const menuItemClass = styles.item;
