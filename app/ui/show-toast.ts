export type ToastKind = 'info' | 'error';

/** Something to press beside the words, such as Undo. The toast leaves with it. */
interface ToastAct {
  label: string;
  onAct: () => void;
}

interface ToastOptions {
  kind?: ToastKind;
  act?: ToastAct;
  shownForMs?: number;
}

export interface Toast extends ToastOptions {
  id: number;
  text: string;
  kind: ToastKind;
}

const mostAtOnce = 3;
const usuallyShownForMs = 6_000;
const none: readonly Toast[] = [];
const listeners = new Set<() => void>();
let toasts = none;
let lastId = 0;

/** Says something in the corner of the page. An error stays until it is dismissed, anything else leaves by itself. */
export function showToast(text: string, options: ToastOptions = {}): void {
  lastId += 1;
  // The same words again replace the message, so that it is not on the screen twice.
  const others = toasts.filter((toast) => toast.text !== text);
  change([...others, { kind: 'info', ...options, id: lastId, text } as const].slice(-mostAtOnce));
}

export function dismissToast(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

/** Begins the time of a toast that stands on the page; what it answers ends that time. An error has none. */
export function letToastLeave({ id, kind, shownForMs }: Toast): (() => void) | undefined {
  if (kind === 'error') return undefined;
  const timer = setTimeout(() => dismissToast(id), shownForMs ?? usuallyShownForMs);
  return () => clearTimeout(timer);
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function presentToasts(): readonly Toast[] {
  return toasts;
}
