import { fromPattern } from './pattern.ts';

/** A button beside the message, such as Undo. A press closes the toast. */
interface ToastAct {
  label: string;
  onAct: () => void;
}

interface ToastOptions {
  kind?: 'info' | 'error';
  act?: ToastAct;
  shownForMs?: number;
}

const mostAtOnce = 3;
const usuallyShownForMs = 6_000;

/**
 * Shows a message in the corner of the page. An error remains until it is dismissed. Other messages
 * disappear by themselves.
 */
export function showToast(
  text: string,
  { kind = 'info', act, shownForMs = usuallyShownForMs }: ToastOptions = {},
): void {
  const region = document.querySelector('[data-toasts]');
  const toast = fromPattern('toast');
  const words = toast?.querySelector('span');
  if (!region || !toast || !words) return;
  toast.dataset['kind'] = kind;
  words.textContent = text;
  if (act) words.after(actButton(act));
  // A message with the same text is replaced, so that it is not shown twice.
  for (const other of region.children) {
    if (other.querySelector('span')?.textContent === text) other.remove();
  }
  region.append(toast);
  if (region.childElementCount > mostAtOnce) region.firstElementChild?.remove();
  if (kind !== 'error') setTimeout(() => toast.remove(), shownForMs);
}

function actButton({ label, onAct }: ToastAct): HTMLButtonElement {
  const button = document.createElement('button');
  button.textContent = label;
  button.dataset['act'] = 'dismiss';
  button.addEventListener('click', onAct);
  return button;
}

/** Removes the toast that contains the button. */
export function dismissToast(button: HTMLElement): void {
  button.parentElement?.remove();
}
