import { lazy, Suspense } from 'react';
import { KeepSessionAlive } from '#app/features/accounts/sessions/keep-session-alive.tsx';
import { GateNote } from '#app/features/site-settings/gate-note.tsx';
import { useIsHydrated } from '#app/platform/use-is-hydrated.ts';

const SessionMonitor = lazy(async () => ({
  default: (await import('#app/features/accounts/sessions/session-monitor.tsx')).SessionMonitor,
}));

/** Parts that most visitors never need, and never load. */
export function VisitorParts({
  sessionExpiresAt,
  gateNote,
  monitorOf,
}: {
  sessionExpiresAt: Date | null;
  gateNote: string | null;
  /** The user's address where the session monitor is switched on. */
  monitorOf?: string;
}) {
  const isHydrated = useIsHydrated();
  return (
    <>
      {sessionExpiresAt ? <KeepSessionAlive expiresAt={sessionExpiresAt} /> : null}
      {gateNote ? <GateNote text={gateNote} /> : null}
      {monitorOf && isHydrated ? (
        <Suspense>
          <SessionMonitor email={monitorOf} />
        </Suspense>
      ) : null}
    </>
  );
}
