import { useEffect, useRef } from 'react';
import { type FailedAct, lostAct } from '#app/platform/failed-acts/failed-act.ts';
import { FailedActWords } from './failed-act-words.tsx';
import { useDropFailedAct, useFailedAct } from './failed-act-context.ts';
import styles from './failed-act-note.module.css';

const attributes = { role: 'alert', tabIndex: -1, className: styles.note, 'data-failed-act': '' };

/** Shows above a page which action failed. Hidden if the form shows the failure itself. */
export function FailedActNote() {
  const failed = useFailedAct();
  const note = useRef<HTMLDivElement>(null);
  useDropFailedAct();
  useEffect(() => {
    if (failed) note.current?.focus();
  }, [failed]);
  if (!failed) return null;
  return (
    <div ref={note} {...attributes}>
      <NoteWords failed={failed} />
    </div>
  );
}

/**
 * Renders the note on a page without a router, and a template of it for posts without a response
 * (`post-in-place.ts`).
 */
export function StaticFailedActNote() {
  const failed = useFailedAct();
  return (
    <>
      {failed ? (
        <div {...attributes}>
          <NoteWords failed={failed} />
        </div>
      ) : null}
      <template data-when="unanswered">
        <div {...attributes}>
          <NoteWords failed={lostAct} />
        </div>
      </template>
    </>
  );
}

function NoteWords({ failed }: { failed: FailedAct }) {
  return (
    <>
      <p>
        <strong>{failed.title ?? 'This was not saved'}</strong>
      </p>
      <FailedActWords failed={failed} />
    </>
  );
}
