import { type ReactNode, useEffect, useState } from 'react';
import type { ErrorResponse } from 'react-router';
import { useIsHydrated } from '#app/platform/use-is-hydrated.ts';
import { isAccessRefusal } from './access-refusal.ts';
import { AccessRefusalScreen } from './access-refusal-screen.tsx';

/** In place of a page that the server would not give: by a guard, or because it gives nobody any at present. */
export function RefusedScreen({
  error,
  otherwise,
}: {
  error: ErrorResponse;
  otherwise: ReactNode;
}) {
  // True where this took the place of a page that stood; false where the server itself sent it.
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

/** Maintenance and overload have screens of the server's own, which answer whoever asks for a whole page. */
function WholePage({ children }: { children: ReactNode }) {
  useEffect(() => location.reload(), []);
  return children;
}
