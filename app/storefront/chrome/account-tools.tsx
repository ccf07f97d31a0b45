import { lazy, Suspense } from 'react';
import { SignInButton } from '#app/features/accounts/sign-in-button.tsx';
import { useViewer } from '#app/features/accounts/viewer-context.tsx';

const load = async () => (await import('./signed-in-tools.tsx')).SignedInTools;

/** Visitors who are not signed in never load the script of those who are. */
const SignedInTools = import.meta.env.SSR
  ? await load()
  : lazy(async () => ({ default: await load() }));

/** In the header: Sign In, or what the signed-in have. */
export function AccountTools() {
  const viewer = useViewer();
  if (!viewer) return <SignInButton />;
  return (
    <Suspense>
      <SignedInTools viewer={viewer} />
    </Suspense>
  );
}
