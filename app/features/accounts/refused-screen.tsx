import { type ReactNode, useEffect, useState } from 'react';
import type { ErrorResponse } from 'react-router';
import { useIsHydrated } from '#app/platform/use-is-hydrated.ts';
import { isAccessRefusal } from './access-refusal.ts';
import { AccessRefusalScreen } from './access-refusal-screen.tsx';

/** Replaces a page that a guard refused, or that is currently closed to visitors. */
export function RefusedScreen({
  error,
  otherwise,
}: {
  error: ErrorResponse;
  otherwise: ReactNode;
}) {
  // `true` if the screen replaced a page in the browser, `false` if the server rendered it.
  const [cameLater] = useState(useIsHydrated());
  const isShut = cameLater && error.status === 503;
  if (isAccessRefusal(error)) {
    return (
      <main id="main">
        <AccessRefusalScreen {...error.data} />
      </main>
    );
  }
  if (isShut) return <WholePage>{otherwise}</WholePage>;
  return otherwise;
}

/** Loads the full page, since the server has screens for maintenance and overload. */
function WholePage({ children }: { children: ReactNode }) {
  useEffect(() => location.reload(), []);
  return children;
}
