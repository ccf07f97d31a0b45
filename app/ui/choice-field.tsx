import type { ComponentProps } from 'react';
import { FieldFrame, type FieldWords } from './field-frame.tsx';
import { type SelectOption, SelectOptions } from './select-field.tsx';
import { useTypedAgain } from './typed-again.ts';

/** A select of a form: its label above, its error or hint below. (In bars: `SelectField`.) */
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
