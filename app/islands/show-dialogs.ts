import { focusFirst } from '#app/ui/focus-first.ts';
import { closest } from './pressed.ts';
import { pageChanged } from './page-changed.ts';

/** The link or button that opened the current dialog. */
let opener: HTMLElement | null = null;

/**
 * Shows dialogs on pages without a router. A dialog with its own URL is part of the page's markup,
 * and is shown over the page. Escape and the close button follow the link back.
 */
export function startDialogs(): void {
  document.addEventListener('click', ({ target }) => {
    opener = closest(target, 'a[data-swap="push"]') ?? opener;
    if (closest(target, '[data-closes-dialog]')) close(closest(target, 'dialog'));
  });
  document.addEventListener(pageChanged, showDialog);
  showDialog();
}

function showDialog(): void {
  const dialog = document.querySelector<HTMLDialogElement>('main dialog[open]');
  if (!dialog) {
    if (opener?.isConnected) opener.focus();
    opener = null;
    return;
  }
  if (dialog.matches(':modal')) return;
  dialog.close();
  dialog.showModal();
  focusFirst(dialog);
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    close(dialog);
  });
}

function close(dialog: HTMLElement | null): void {
  dialog?.querySelector<HTMLElement>('a[data-swap="replace"]')?.click();
}
