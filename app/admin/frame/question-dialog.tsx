import type { ReactNode } from 'react';
import forms from '#app/ui/form.module.css';
import { Button } from '#app/ui/button.tsx';
import styles from './question-dialog.module.css';

/**
 * A confirmation dialog with Cancel. Any `command` button with its `id` opens it, even without
 * JavaScript.
 */
export function QuestionDialog({
  id,
  question,
  detail,
  children,
}: {
  id: string;
  question: string;
  /** The name of the affected row, and the effect. */
  detail?: ReactNode;
  children: ReactNode;
}) {
  return (
    <dialog id={id} className={styles.dialog} aria-labelledby={`${id}-title`} closedby="any">
      <h2 id={`${id}-title`}>{question}</h2>
      {detail ? <div className="above-2 muted">{detail}</div> : null}
      <div className={`${forms.actions} ${styles.buttons}`}>
        <Button commandfor={id} command="close">
          Cancel
        </Button>
        {children}
      </div>
    </dialog>
  );
}
