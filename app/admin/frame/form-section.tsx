import type { ReactNode } from 'react';
import forms from '#app/ui/form.module.css';
import styles from './form-section.module.css';

/** A titled group of a form's fields, two beside each other where there is room; `FullWidth` takes both places. */
export function FormSection({
  title,
  hint,
  children,
}: {
  title: string;
  hint?: ReactNode;
  children: ReactNode;
}) {
  return (
    <fieldset className={styles.section}>
      <legend>{title}</legend>
      {hint ? <p className={styles.hint}>{hint}</p> : null}
      <div className={`${forms.row} ${styles.fields}`}>{children}</div>
    </fieldset>
  );
}

export function FullWidth({ children }: { children: ReactNode }) {
  return <div className={styles.full}>{children}</div>;
}
