import { Icon } from './icon.tsx';
import styles from './copy-button.module.css';

/**
 * Renders a button that copies a text and confirms it, including to screen readers
 * (`copy-and-share.ts`). Shown only with JavaScript.
 */
export function CopyButton({ text, label }: { text: string; label: string }) {
  return (
    <>
      <button
        type="button"
        data-needs-js
        data-act="copy"
        data-text={text}
        className={styles.button}
        aria-label={label}
      >
        <span className={styles.before} aria-hidden="true">
          <Icon name="copy" size={16} />
          Copy
        </span>
        <span className={styles.after} aria-hidden="true">
          <Icon name="check" size={16} />
          Copied
        </span>
      </button>
      <span className="visually-hidden" role="status" />
    </>
  );
}
