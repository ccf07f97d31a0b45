import type { ReactNode } from 'react';
import forms from '#app/ui/form.module.css';
import styles from './form-section.module.css';

/**
 * A titled group of a form's fields, two beside each other where there is room: `FullWidth` takes both places, and in a
 * group that `isSingle` each field does.
 */
export function FormSection({
  title,
  hint,
  isSingle,
  children,
}: {
  title: string;
  hint?: ReactNode;
  isSingle?: boolean;
  children: ReactNode;
}) {
  return (
    <fieldset className={styles.section}>
      <legend>{title}</legend>
      {hint ? <p className={styles.hint}>{hint}</p> : null}
      <div className={`${forms.row} ${styles.fields}`} data-single={isSingle}>
        {children}
      </div>
    </fieldset>
  );
}

export function FullWidth({ children }: { children: ReactNode }) {
  return <div className={styles.full}>{children}</div>;
}
