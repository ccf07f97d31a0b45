import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './check-field.module.css';
import { useTickedAgain } from './typed-again.ts';

/**
 * Renders a checkbox with its label beside it and a hint below. As in plain HTML, an unchecked box
 * sends nothing.
 */
export function CheckField({
  label,
  hint,
  ...rest
}: Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; hint?: ReactNode }) {
  const id = useId();
  const again = useTickedAgain(rest);
  return (
    <div className={styles.field}>
      <input
        {...again}
        type="checkbox"
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      <label htmlFor={id}>{label}</label>
      {hint ? (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}
