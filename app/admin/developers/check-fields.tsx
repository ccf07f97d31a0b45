import { useId } from 'react';
import { CheckField } from '#app/ui/check-field.tsx';
import styles from './developers.module.css';

/** A checkbox for each option, all under one name. */
export function CheckFields({
  name,
  legend,
  offered,
  chosen,
  error,
}: {
  name: string;
  legend: string;
  offered: readonly { value: string; label: string; hint?: string }[];
  chosen: readonly string[];
  error: string | undefined;
}) {
  const errorId = useId();
  return (
    <fieldset className={styles.choices} aria-describedby={error ? errorId : undefined}>
      <legend>{legend}</legend>
      {offered.map(({ value, label, hint }) => (
        <CheckField
          key={value}
          name={name}
          value={value}
          label={label}
          hint={hint}
          defaultChecked={chosen.includes(value)}
        />
      ))}
      {error ? (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
