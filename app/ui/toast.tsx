import { Icon } from './icon.tsx';
import { useMadeOnce } from './made-once.ts';
import styles from './toast.module.css';

/**
 * Renders an empty live region on every page, since screen readers announce only regions that
 * existed before their text. `show-toast.ts` fills it with copies of a hidden template. React does
 * not manage its content.
 */
export function ToastRegion() {
  const pattern = useMadeOnce('toast', <ToastPattern />);
  return (
    <>
      <output data-toasts className={styles.region} dangerouslySetInnerHTML={{ __html: '' }} />
      <span hidden data-pattern="toast" className={styles.toast} {...pattern} />
    </>
  );
}

function ToastPattern() {
  return (
    <>
      <Icon name="alert" />
      <Icon name="check" />
      <span />
      <button type="button" data-act="dismiss" className={styles.dismiss} aria-label="Dismiss">
        <Icon name="close" size={18} />
      </button>
    </>
  );
}
