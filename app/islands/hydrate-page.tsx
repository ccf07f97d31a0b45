import { startTransition, StrictMode, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { markHydrated } from './mark-hydrated.ts';

/** Hydrates the pages of accounts and of staff as a whole. */
export function hydratePage(): void {
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter />
        <Alive />
      </StrictMode>,
    );
  });
}

/** Placed behind the router, so its effect runs after those of the whole page. */
function Alive() {
  useEffect(markHydrated, []);
  return null;
}
