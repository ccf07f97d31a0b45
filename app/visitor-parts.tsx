import { lazy, Suspense } from 'react';
import { KeepSessionAlive } from '#app/features/accounts/keep-session-alive.tsx';
import { DoorNote } from '#app/features/site-settings/door-note.tsx';
import { useIsHydrated } from '#app/platform/use-is-hydrated.ts';

const SessionMonitor = lazy(async () => ({
  default: (await import('#app/features/accounts/session-monitor.tsx')).SessionMonitor,
}));

/** What only some visitors get: most never load it. */
export function VisitorParts({
  sessionExpiresAt,
  doorNote,
  monitorOf,
}: {
  sessionExpiresAt: Date | null;
  doorNote: string | null;
  /** The user's address where the session monitor is switched on. */
  monitorOf?: string;
}) {
  const isHydrated = useIsHydrated();
  return (
    <>
      {sessionExpiresAt ? <KeepSessionAlive expiresAt={sessionExpiresAt} /> : null}
      {doorNote ? <DoorNote text={doorNote} /> : null}
      {monitorOf && isHydrated ? (
        <Suspense>
          <SessionMonitor email={monitorOf} />
        </Suspense>
      ) : null}
    </>
  );
}
