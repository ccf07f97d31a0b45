import type { ComponentProps, ReactNode } from 'react';
import { FieldFrame, type FieldWords } from './field-frame.tsx';
import { useTypedAgain } from './typed-again.ts';

/** Renders a labeled input with its error and hint, connected for assistive technology. */
export function TextField({
  label,
  error,
  hint,
  aside,
  after,
  ...rest
}: ComponentProps<'input'> &
  FieldWords & {
    /** A control inside the border after the input, such as a button that shows the password. */
    after?: ReactNode;
  }) {
  const again = useTypedAgain(rest);
  return (
    <FieldFrame label={label} error={error} hint={hint} aside={aside}>
      {(tie) => (
        <>
          <input
            type="text"
            {...again}
            {...tie}
            aria-describedby={tie['aria-describedby'] ?? rest['aria-describedby']}
          />
          {after}
        </>
      )}
    </FieldFrame>
  );
}
