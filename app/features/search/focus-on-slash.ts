import type { RefObject } from 'react';

/** `/` goes to the search box: the visible one, and never out of a field somebody types in. */
export function focusOnSlash(input: RefObject<HTMLInputElement | null>): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const { current } = input;
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.defaultPrevented || isTypedIn(event.target) || !current?.getClientRects().length)
      return;
    event.preventDefault();
    current.focus();
    current.select();
  };
  addEventListener('keydown', onKeyDown);
  return () => removeEventListener('keydown', onKeyDown);
}

function isTypedIn(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, dialog[open]') !== null)
  );
}
