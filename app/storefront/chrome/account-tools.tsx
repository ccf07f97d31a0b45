import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'react-router';
import { SignInButton, SignInDialog } from '#app/features/accounts/sessions/sign-in-button.tsx';
import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';

const load = async () => (await import('./signed-in-tools.tsx')).SignedInTools;

/** Signed-out visitors never load the script for signed-in ones. */
const SignedInTools = import.meta.env.SSR
  ? await load()
  : lazy(async () => ({ default: await load() }));

/** In the header: Sign In, or the signed-in visitor's tools. */
export function AccountTools() {
  const viewer = useViewer();
  const { key } = useLocation();
  // Open on this page only: going on to another one closes it.
  const [openOn, setOpenOn] = useState<string | null>(null);
  return (
    <>
      {viewer ? (
        <Suspense>
          <SignedInTools viewer={viewer} />
        </Suspense>
      ) : (
        <SignInButton onOpen={() => setOpenOn(key)} />
      )}
      {openOn === key ? <SignInDialog onClose={() => setOpenOn(null)} /> : null}
    </>
  );
}
