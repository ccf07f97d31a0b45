import { type ReactNode, useId } from 'react';
import styles from './field-frame.module.css';

/** The label, hint and error of a form's field, in addition to the props of its control. */
export interface FieldWords {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
  /** A link at the end of the label's line, after the control in the tab order. */
  aside?: ReactNode;
}

/** The ids that connect a control to its label and its note, for assistive technology. */
interface FieldTie {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** Renders the label above a control, its border, and its error or hint below. */
export function FieldFrame({
  label,
  error,
  hint,
  aside,
  children,
}: FieldWords & { children: (tie: FieldTie) => ReactNode }) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.frame}>
        {children({
          id,
          'aria-invalid': error ? true : undefined,
          'aria-describedby': note ? noteId : undefined,
        })}
      </span>
      {aside ? <span className={styles.aside}>{aside}</span> : null}
      {note ? (
        <p id={noteId} className={error ? styles.error : styles.hint}>
          {note}
        </p>
      ) : null}
    </div>
  );
}
