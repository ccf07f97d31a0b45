import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'react-router';
import { useIsHydrated } from '#app/platform/use-is-hydrated.ts';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { Link } from '#app/ui/link.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { knowsPasskeys, signWithPasskey, usePasskeyPrompt } from './passkeys/browser-passkeys.ts';
import type { IdentityWays } from './confirm-identity.server.ts';
import styles from './identity-field.module.css';

/**
 * Asks who is there before an act for which an unlocked screen must not be enough (R50): by password, passkey or, without
 * a password, a new sign-in. A passkey submits the surrounding form.
 */
export function IdentityField({ ways, error }: { ways: IdentityWays; error?: string | undefined }) {
  const [credential, setCredential] = useState('');
  const { isAsking, problem, ask } = usePasskeyPrompt();
  const proof = useRef<HTMLInputElement>(null);
  const isHydrated = useIsHydrated();
  const mayUsePasskey = ways.hasPasskey && !ways.isFresh && isHydrated && knowsPasskeys();

  async function confirm(): Promise<void> {
    const signed = await signWithPasskey('confirm');
    // Before the form is sent, the field must hold it and the password field be gone.
    flushSync(() => setCredential(signed));
    proof.current?.form?.requestSubmit();
    setCredential(''); // good for one attempt
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
          <Button isBusy={isAsking} onClick={() => void ask(confirm)}>
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
      <ul className="disc-list stack gap-2">
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
