import type { FailedAct } from '#app/platform/failed-acts/failed-act.ts';

/**
 * Shows why an action failed, with the reference that identifies the log line. Forms that render
 * this have the attribute `data-failed-form`.
 */
export function FailedActWords({ failed: { cause, requestId } }: { failed: FailedAct }) {
  return (
    <>
      <p>{cause}</p>
      {requestId === null ? null : (
        <p>
          The log has details under this reference: <code>{requestId}</code>
        </p>
      )}
    </>
  );
}
