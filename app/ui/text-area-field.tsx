import type { ComponentProps } from 'react';
import { FieldFrame, type FieldWords } from './field-frame.tsx';
import { useTypedAgain } from './typed-again.ts';

/** Renders a text field with several lines. */
export function TextAreaField({
  label,
  error,
  hint,
  ...rest
}: ComponentProps<'textarea'> & FieldWords) {
  const again = useTypedAgain(rest);
  return (
    <FieldFrame label={label} error={error} hint={hint}>
      {(tie) => <textarea {...again} {...tie} />}
    </FieldFrame>
  );
}
