import { type ReactNode, useEffect, useId, useRef } from 'react';
import { focusFirst } from './focus-first.ts';
import { Icon } from './icon.tsx';
import styles from './modal-dialog.module.css';

/**
 * Renders the browser's own modal dialog, which traps the focus, closes on Escape and restores the
 * focus. The first field receives the focus. The server renders the dialog open on the page, so
 * that it also works without JavaScript.
 */
export function ModalDialog({
  title,
  kind,
  onClose,
  isWide,
  children,
}: {
  title: string;
  /** The kind of dialog, shown above a title that is a name. */
  kind?: string | undefined;
  /**
   * Closes the dialog. If absent, the dialog belongs to a page, whose link with `swap` returns to
   * it (`show-dialogs.ts`).
   */
  onClose?: () => void;
  /**
   * Whether the dialog has many fields or a second column. Such a dialog fills a narrow screen.
   * `side` is a panel at the side of the page.
   */
  isWide?: boolean | 'very' | 'side';
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
    focusFirst(element);
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
      aria-labelledby={kind === undefined ? titleId : `${titleId}-kind ${titleId}`}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <div className={styles.head}>
        <div className={styles.title}>
          {kind === undefined ? null : (
            <p id={`${titleId}-kind`} className="small">
              {kind}
            </p>
          )}
          <h2 id={titleId}>{title}</h2>
        </div>
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
