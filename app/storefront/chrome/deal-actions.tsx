import { lazy, Suspense } from 'react';
import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import type { DealActionsProps } from './signed-in-actions.tsx';

const load = async () => (await import('./signed-in-actions.tsx')).SignedInActions;

const SignedInActions = import.meta.env.SSR
  ? await load()
  : lazy(async () => ({ default: await load() }));

/** The favorite and alert buttons of a deal; nothing, not even their script, for those who are not signed in. */
export function DealActions(props: DealActionsProps) {
  if (!useViewer()) return null;
  return (
    <Suspense>
      <SignedInActions {...props} />
    </Suspense>
  );
}
