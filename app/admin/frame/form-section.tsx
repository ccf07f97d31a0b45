import type { ReactNode } from 'react';
import forms from '#app/ui/form.module.css';
import styles from './form-section.module.css';

/**
 * A titled group of form fields in two columns if there is space. `FullWidth` spans both, as does
 * every field of an `isSingle` group.
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
