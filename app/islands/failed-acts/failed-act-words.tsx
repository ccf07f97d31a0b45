import type { FailedAct } from '#app/platform/failed-acts/failed-act.ts';

/**
 * The reason why an act failed, with the reference that finds the log line. Its form has
 * `data-failed-form`.
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
