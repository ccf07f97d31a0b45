import { type KeyboardEvent, useEffect, useRef } from 'react';

/** Focuses a panel's first field when it opens. Enter inserts its content, and Escape closes it. */
export function useEditorPanel({ put, onDone }: { put: () => void; onDone: () => void }) {
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  // Enter submits the panel, not the form around it.
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      put();
    }
    if (event.key === 'Escape') onDone();
  };
  return { first, onKeyDown };
}
