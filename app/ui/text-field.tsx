import type { ComponentProps, ReactNode } from 'react';
import { FieldFrame, type FieldWords } from './field-frame.tsx';

/** A labelled input with its error and hint, tied together for assistive technology. */
export function TextField({
  label,
  error,
  hint,
  after,
  ...rest
}: ComponentProps<'input'> &
  FieldWords & {
    /** Stands in the frame behind the input, such as a show button. */
    after?: ReactNode;
  }) {
  return (
    <FieldFrame label={label} error={error} hint={hint}>
      {(tie) => (
        <>
          <input
            type="text"
            {...rest}
            {...tie}
            aria-describedby={tie['aria-describedby'] ?? rest['aria-describedby']}
          />
          {after}
        </>
      )}
    </FieldFrame>
  );
}
