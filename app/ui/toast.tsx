import { useEffect, useSyncExternalStore } from 'react';
import { Icon } from './icon.tsx';
import { dismissToast, letToastLeave, onToasts, presentToasts, type Toast } from './show-toast.ts';
import styles from './toast.module.css';

const none: readonly Toast[] = [];

/** Mounted once, around every page: assistive technology hears only a region that was there before its words. */
export function ToastRegion() {
  const shown = useSyncExternalStore(onToasts, presentToasts, () => none);
  return (
    <output className={styles.region}>
      {shown.map((toast) => (
        <ToastMessage key={toast.id} toast={toast} />
      ))}
    </output>
  );
}

function ToastMessage({ toast }: { toast: Toast }) {
  const { id, text, kind, act } = toast;
  useEffect(() => letToastLeave(toast), [toast]);

  return (
    <span className={styles.toast} data-kind={kind}>
      <Icon name={kind === 'error' ? 'alert' : 'check'} />
      <span>{text}</span>
      {act ? (
        <button
          type="button"
          className={styles.act}
          onClick={() => {
            dismissToast(id);
            act.onAct();
          }}
        >
          {act.label}
        </button>
      ) : null}
      <button
        type="button"
        className={styles.dismiss}
        aria-label="Dismiss"
        onClick={() => dismissToast(id)}
      >
        <Icon name="close" size={18} />
      </button>
    </span>
  );
}
