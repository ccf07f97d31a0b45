import { type ComponentProps, useId } from 'react';
import styles from './select-field.module.css';
import { useTypedAgain } from './typed-again.ts';

export interface SelectOption {
  value: string;
  label: string;
  isDisabled?: boolean;
}

/** Renders a select with its label inside its border, for bars without space above. */
export function SelectField({
  label,
  options,
  className,
  ...rest
}: Omit<ComponentProps<'select'>, 'children'> & { label: string; options: SelectOption[] }) {
  const id = useId();
  const again = useTypedAgain(rest);
  return (
    <span data-key={rest.name} className={[styles.field, className].filter(Boolean).join(' ')}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <select {...again} id={id} className={styles.select}>
        <SelectOptions options={options} />
      </select>
    </span>
  );
}

export function SelectOptions({ options }: { options: readonly SelectOption[] }) {
  return options.map((option) => (
    <option key={option.value} value={option.value} disabled={option.isDisabled}>
      {option.label}
    </option>
  ));
}
