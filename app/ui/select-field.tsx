import type { ComponentProps } from 'react';
import styles from './select-field.module.css';

export interface SelectOption {
  value: string;
  label: string;
  isDisabled?: boolean;
}

/** A select whose name stands in its frame, for bars where there is no room above. */
export function SelectField({
  label,
  options,
  className,
  ...rest
}: Omit<ComponentProps<'select'>, 'children'> & { label: string; options: SelectOption[] }) {
  return (
    <label className={[styles.field, className].filter(Boolean).join(' ')}>
      <span className={styles.label}>{label}</span>
      <select {...rest} className={styles.select}>
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.isDisabled}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}
