import type { ComponentProps } from 'react';
import { FieldFrame, type FieldWords } from './field-frame.tsx';

/** Like a text field, for more than a line. */
export function TextAreaField({
  label,
  error,
  hint,
  ...rest
}: ComponentProps<'textarea'> & FieldWords) {
  return (
    <FieldFrame label={label} error={error} hint={hint}>
      {(tie) => <textarea {...rest} {...tie} />}
    </FieldFrame>
  );
}
