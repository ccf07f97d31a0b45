import { type ComponentProps, useEffect } from 'react';
import { startShowingPasswords } from './show-password.ts';
import { TextField } from './text-field.tsx';
import styles from './password-field.module.css';

/**
 * Renders a password field. The password is hidden until the user chooses to see it. Pasting and
 * password managers work.
 */
export function PasswordField(props: Omit<ComponentProps<typeof TextField>, 'type' | 'after'>) {
  useEffect(startShowingPasswords, []);
  return (
    <TextField
      {...props}
      type="password"
      required
      after={
        <button
          type="button"
          data-needs-js
          data-shows-password
          className={styles.show}
          aria-pressed={false}
          aria-label="Show password"
        >
          Show
        </button>
      }
    />
  );
}
