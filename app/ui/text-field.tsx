import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './text-field.module.css';

/** A labelled input with its error and hint, tied together for assistive technology. */
export function TextField({
  label,
  error,
  hint,
  after,
  ...rest
}: ComponentProps<'input'> & {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
  /** Stands in the frame behind the input, such as a show button. */
  after?: ReactNode;
}) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.frame}>
        <input
          {...rest}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? noteId : rest['aria-describedby']}
        />
        {after}
      </span>
      {note ? (
        <p id={noteId} className={error ? styles.error : styles.hint}>
          {note}
        </p>
      ) : null}
    </div>
  );
}
