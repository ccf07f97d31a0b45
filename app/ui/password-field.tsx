import { type ComponentProps, useState } from 'react';
import { TextField } from './text-field.tsx';
import styles from './password-field.module.css';

/** A password, hidden until the user asks to see it. Paste and password managers work. */
export function PasswordField(props: Omit<ComponentProps<typeof TextField>, 'type' | 'after'>) {
  const [isShown, setIsShown] = useState(false);
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      // A hidden password is never capitalised or spell-checked, and the attributes are invalid on
      // it.
      {...(isShown && { autoCapitalize: 'none', spellCheck: false })}
      required
      after={
        <button
          type="button"
          data-needs-js
          className={styles.show}
          aria-pressed={isShown}
          aria-label="Show password"
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      }
    />
  );
}
