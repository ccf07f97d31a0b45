import { useEffect, useRef } from 'react';
import { CopyButton } from '#app/ui/copy-button.tsx';
import styles from './developers.module.css';

export interface SecretOnce {
  kind: 'key' | 'secret';
  text: string;
  /** The name of the key or webhook that the secret belongs to. */
  of: string;
}

/**
 * Shows a new key or secret, which cannot be shown again because only its hash or ciphertext is
 * stored.
 */
export function ShownSecret({ secret: { kind, text, of } }: { secret: SecretOnce }) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  const name = kind === 'key' ? 'API key' : 'signing secret';
  return (
    <section ref={panel} tabIndex={-1} className={styles.secret} aria-labelledby="secret-once">
      <h2 id="secret-once">
        The {name} of {of}
      </h2>
      <p>It is shown only once. Store it in your password manager.</p>
      <p className={styles.secretLine}>
        <code>{text}</code>
        <CopyButton text={text} label={`Copy the ${name}`} />
      </p>
    </section>
  );
}
