import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Icon } from './icon.tsx';
import styles from './modal-dialog.module.css';

/**
 * Renders the browser's own modal dialog, which traps the focus, closes on Escape and restores the
 * focus. The server renders it open on the page, so that it also works without JavaScript.
 */
export function ModalDialog({
  title,
  onClose,
  isWide,
  children,
}: {
  title: string;
  /**
   * Closes the dialog. If absent, the dialog is a page's own, whose link with `swap` goes back
   * (`show-dialogs.ts`).
   */
  onClose?: () => void;
  /** Whether the dialog has many fields or a second column. Such a dialog fills a narrow screen. */
  isWide?: boolean | 'very';
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    const element = dialog.current;
    if (!element) return undefined;
    const before = document.activeElement;
    if (element.open) element.close();
    element.showModal();
    return () => {
      if (element.open) element.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  return (
    <dialog
      ref={dialog}
      open
      suppressHydrationWarning
      className={styles.dialog}
      data-wide={isWide}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <div className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        <button
          type="button"
          className={styles.close}
          aria-label="Close"
          data-needs-js
          data-closes-dialog
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </div>
      {children}
    </dialog>
  );
}
