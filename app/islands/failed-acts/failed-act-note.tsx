import { useEffect, useRef } from 'react';
import { FailedActWords } from './failed-act-words.tsx';
import { useDropFailedAct, useFailedAct } from './failed-act-context.ts';
import styles from './failed-act-note.module.css';

/**
 * The act of this page that met an error, above the page. Hidden if its form shows the error
 * itself.
 */
export function FailedActNote() {
  const failed = useFailedAct();
  const note = useRef<HTMLDivElement>(null);
  useDropFailedAct();
  useEffect(() => {
    if (failed) note.current?.focus();
  }, [failed]);
  if (!failed) return null;
  return (
    <div ref={note} role="alert" tabIndex={-1} className={styles.note}>
      <p>
        <strong>{failed.title ?? 'This was not saved'}</strong>
      </p>
      <FailedActWords failed={failed} />
    </div>
  );
}
