import { showToast } from './show-toast.ts';

const saidForMs = 2_500;

/** Copies a button's text, and confirms it in the next element, which screen readers announce. */
export async function copyText(button: HTMLElement): Promise<void> {
  const { text = '' } = button.dataset;
  const status = button.nextElementSibling;
  let said = `${text} copied`;
  try {
    await navigator.clipboard.writeText(text);
    button.dataset['copied'] = '';
  } catch {
    // Browsers offer a clipboard only to https pages.
    said = `Could not copy. The text: ${text}`;
  }
  if (status) status.textContent = said;
  setTimeout(() => {
    delete button.dataset['copied'];
    if (status?.textContent === said) status.textContent = '';
  }, saidForMs);
}

/** Opens the browser's own share sheet, or copies the link if there is none. */
export async function share(page: { title: string; text?: string; url: string }): Promise<void> {
  if (navigator.canShare?.(page)) {
    try {
      await navigator.share(page);
      return;
    } catch (error) {
      // The visitor closed the sheet. Any other error means that sharing is impossible.
      if (error instanceof DOMException && error.name === 'AbortError') return;
    }
  }
  try {
    await navigator.clipboard.writeText(page.url);
    showToast('Link copied to clipboard!');
  } catch {
    showToast(`The link could not be copied: ${page.url}`, { kind: 'error' });
  }
}
