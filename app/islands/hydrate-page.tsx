import { startTransition, StrictMode, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { setAlive } from './set-alive.ts';

/** The pages of staff come to life as a whole. */
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

/** It stands behind the router, so its effect runs when those of the whole page have. */
function Alive() {
  useEffect(setAlive, []);
  return null;
}
