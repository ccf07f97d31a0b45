import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { showToast } from './show-toast.ts';

/** The browser's own share sheet where it has one, otherwise the link goes to the clipboard. Needs script. */
export function ShareButton({ title, url }: { title: string; url: string }) {
  return (
    <span data-needs-js>
      <Button onClick={() => void share({ title, url })}>
        <Icon name="share" size={18} />
        Share
      </Button>
    </span>
  );
}

async function share(page: { title: string; url: string }): Promise<void> {
  if (navigator.canShare?.(page)) {
    try {
      await navigator.share(page);
      return;
    } catch (error) {
      // The visitor closed the sheet; any other error means that it does not work here.
      if (error instanceof DOMException && error.name === 'AbortError') return;
    }
  }
  try {
    await navigator.clipboard.writeText(page.url);
    showToast('Link copied to clipboard!');
  } catch {
    showToast(`The link could not be copied. It is ${page.url}`, { kind: 'error' });
  }
}
