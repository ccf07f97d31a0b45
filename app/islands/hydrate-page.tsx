import { startTransition, StrictMode, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { markHydrated } from './mark-hydrated.ts';

/** Hydrates account and admin pages as a whole. */
export function hydratePage(): void {
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter />
        <Hydrated />
      </StrictMode>,
    );
  });
}

/**
 * Marks the page as hydrated. The component is behind the router, so its effect runs after those of
 * the whole page.
 */
function Hydrated() {
  useEffect(markHydrated, []);
  return null;
}
