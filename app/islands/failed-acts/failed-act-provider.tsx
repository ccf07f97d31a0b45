import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { TypedAgainContext } from '#app/ui/typed-again.ts';
import type { FailedAct } from '#app/platform/failed-acts/failed-act.ts';
import { FailedActContext } from './failed-act-context.ts';

/**
 * Wraps a page that is rendered again after an action failed, so that its fields show the typed
 * values.
 */
export function FailedActProvider({
  failed,
  children,
}: {
  failed: FailedAct | null;
  children: ReactNode;
}) {
  const isFirstPage = useLocation().key === 'default';
  return (
    <FailedActContext value={failed}>
      <TypedAgainContext value={isFirstPage && failed ? failed.values : null}>
        {children}
      </TypedAgainContext>
    </FailedActContext>
  );
}
