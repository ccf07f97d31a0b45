import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, useLocation } from 'react-router';
import { useIsHydrated } from '#app/platform/use-is-hydrated.ts';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { accountMessages } from './account-messages.ts';
import { confirmWithPasskey, knowsPasskeys } from './passkeys/browser-passkeys.ts';
import type { IdentityWays } from './identity-ways.ts';
import styles from './identity-field.module.css';

/**
 * Asks again who sits there, before an act that an unlocked screen must not be enough for (R50): by password, by a
 * passkey, or, without a password, by signing in once more. A passkey sends the form it stands in.
 */
export function IdentityField({ ways, error }: { ways: IdentityWays; error?: string | undefined }) {
  const [credential, setCredential] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isAsking, setIsAsking] = useState(false);
  const proof = useRef<HTMLInputElement>(null);
  const isHydrated = useIsHydrated();
  const mayUsePasskey = ways.hasPasskey && !ways.isFresh && isHydrated && knowsPasskeys();

  async function confirm(): Promise<void> {
    setIsAsking(true);
    setProblem(undefined);
    try {
      const signed = await confirmWithPasskey();
      // The field must hold it, and the password be asked for no more, before the form is sent.
      flushSync(() => setCredential(signed));
      proof.current?.form?.requestSubmit();
      setCredential(''); // good for one try
    } catch (failure) {
      const isClosed = failure instanceof DOMException;
      setProblem(isClosed ? accountMessages.passkeyCancelled : accountMessages.failed);
    } finally {
      setIsAsking(false);
    }
  }

  return (
    <div className={`${forms.stack} ${styles.identity}`}>
      {credential ? (
        <input ref={proof} type="hidden" name="credential" value={credential} />
      ) : ways.hasPassword ? (
        <PasswordField
          label="Your password"
          name="password"
          autoComplete="current-password"
          error={error}
          hint={
            ways.hasCode
              ? 'Or the six digits of your authenticator app.'
              : 'Asked again, so that an unlocked screen is not enough.'
          }
        />
      ) : (
        <WithoutPassword ways={ways} error={error} />
      )}
      {mayUsePasskey ? (
        <>
          <FormNotice text={problem} kind="error" />
          <Button isBusy={isAsking} onClick={() => void confirm()}>
            Confirm with a passkey
          </Button>
        </>
      ) : null}
    </div>
  );
}

function WithoutPassword({ ways, error }: { ways: IdentityWays; error: string | undefined }) {
  const { pathname, search } = useLocation();
  const here = encodeURIComponent(pathname + search);
  if (ways.isFresh) return <p>You signed in a moment ago, so nothing more is asked.</p>;
  return (
    <>
      <FormNotice text={error} kind="error" />
      {ways.hasCode ? (
        <TextField
          label="Code"
          name="password"
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={10}
          hint="The six digits your authenticator app shows now."
        />
      ) : null}
      <p>
        Your account has no password. So that an unlocked screen is not enough, confirm it is you:
      </p>
      <ul className={styles.ways}>
        {ways.hasPasskey ? <li>With your passkey, where scripts run.</li> : null}
        {ways.providers.map(({ id, name }) => (
          <li key={id}>
            <a href={`/sign-in/with/${id}?returnTo=${here}`}>{`Sign in with ${name} again`}</a>
          </li>
        ))}
        <li>
          <Link to="/forgot-password">Set a password by a link in your mail</Link>
        </li>
      </ul>
    </>
  );
}
