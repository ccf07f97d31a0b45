import { useEffect, useSyncExternalStore } from 'react';
import { Icon } from './icon.tsx';
import styles from './toast.module.css';

export type ToastKind = 'info' | 'error';

interface Toast {
  id: number;
  text: string;
  kind: ToastKind;
}

const shownForMs = 6_000;
const mostAtOnce = 3;
const none: readonly Toast[] = [];
const listeners = new Set<() => void>();
let toasts = none;
let lastId = 0;

/** Says something in the corner of the page. An error stays until it is dismissed, anything else leaves by itself. */
export function showToast(text: string, { kind = 'info' }: { kind?: ToastKind } = {}): void {
  lastId += 1;
  // The same words again are one message said anew, not two on the screen.
  const others = toasts.filter((toast) => toast.text !== text);
  change([...others, { id: lastId, text, kind }].slice(-mostAtOnce));
}

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Mounted once, around every page: assistive technology hears only a region that was there before its words. */
export function ToastRegion() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => none,
  );
  return (
    <output className={styles.region}>
      {shown.map((toast) => (
        <ToastMessage key={toast.id} toast={toast} />
      ))}
    </output>
  );
}

function ToastMessage({ toast: { id, text, kind } }: { toast: Toast }) {
  useEffect(() => {
    if (kind === 'error') return;
    const timer = setTimeout(() => dismiss(id), shownForMs);
    return () => clearTimeout(timer);
  }, [id, kind]);

  return (
    <span className={styles.toast} data-kind={kind}>
      <Icon name={kind === 'error' ? 'alert' : 'check'} />
      <span>{text}</span>
      <button
        type="button"
        className={styles.dismiss}
        aria-label="Dismiss"
        onClick={() => dismiss(id)}
      >
        <Icon name="close" size={18} />
      </button>
    </span>
  );
}
