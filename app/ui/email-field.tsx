import type { ComponentProps } from 'react';
import { TextField } from './text-field.tsx';

/** Renders the field of the email address for a subscription or a notification. */
export function EmailField(rest: Omit<ComponentProps<typeof TextField>, 'label'>) {
  return (
    <TextField
      label="Email address"
      type="email"
      name="email"
      autoComplete="email"
      inputMode="email"
      maxLength={254}
      required
      placeholder="you@example.com"
      {...rest}
    />
  );
}
