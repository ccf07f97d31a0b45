import type { RefObject } from 'react';

/** `/` goes to the search box: the visible one, and never out of a field somebody types in. */
export function focusOnSlash(input: RefObject<HTMLInputElement | null>): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    if (event.key !== '/' || hasModifier || event.defaultPrevented || isTypedIn(event.target))
      return;
    if (!input.current || input.current.getClientRects().length === 0) return;
    event.preventDefault();
    input.current.focus();
    input.current.select();
  };
  document.addEventListener('keydown', onKeyDown);
  return () => document.removeEventListener('keydown', onKeyDown);
}

function isTypedIn(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, dialog[open]') !== null)
  );
}
