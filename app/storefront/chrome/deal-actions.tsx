import { lazy, Suspense } from 'react';
import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import type { DealActionsProps } from './signed-in-actions.tsx';

const load = async () => (await import('./signed-in-actions.tsx')).SignedInActions;

const SignedInActions = import.meta.env.SSR
  ? await load()
  : lazy(async () => ({ default: await load() }));

/** A deal's favorite and alert buttons. Signed-out visitors get nothing, not even the script. */
export function DealActions(props: DealActionsProps) {
  if (!useViewer()) return null;
  return (
    <Suspense>
      <SignedInActions {...props} />
    </Suspense>
  );
}
