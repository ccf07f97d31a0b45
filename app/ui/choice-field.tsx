import type { ComponentProps } from 'react';
import { FieldFrame, type FieldWords } from './field-frame.tsx';
import { type SelectOption, SelectOptions } from './select-field.tsx';
import { useTypedAgain } from './typed-again.ts';

/**
 * Renders a select of a form, with its label above and its error or hint below. `SelectField` is
 * its counterpart for bars.
 */
export function ChoiceField({
  label,
  options,
  error,
  hint,
  ...rest
}: Omit<ComponentProps<'select'>, 'children'> & FieldWords & { options: readonly SelectOption[] }) {
  const again = useTypedAgain(rest);
  return (
    <FieldFrame label={label} error={error} hint={hint}>
      {(tie) => (
        <select {...again} {...tie}>
          <SelectOptions options={options} />
        </select>
      )}
    </FieldFrame>
  );
}
