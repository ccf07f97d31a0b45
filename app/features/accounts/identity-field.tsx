import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { Link } from '#app/ui/link.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { startConfirmingByPasskey } from './passkeys/confirm-by-passkey.ts';
import type { IdentityWays } from './confirm-identity.server.ts';
import styles from './identity-field.module.css';

/**
 * Asks for proof of identity before an action that an unlocked screen must not allow: password,
 * passkey or a new sign-in. A passkey submits the surrounding form (`confirm-by-passkey.ts`).
 */
export function IdentityField({ ways, error }: { ways: IdentityWays; error?: string | undefined }) {
  useEffect(startConfirmingByPasskey, []);
  return (
    <div className={`${forms.stack} ${styles.identity}`} data-identity>
      {ways.hasPassword ? (
        <PasswordField
          label="Your password"
          name="password"
          autoComplete="current-password"
          error={error}
          hint={
            ways.hasCode
              ? 'Or the six-digit code from your authenticator app.'
              : 'Confirm it’s you.'
          }
        />
      ) : (
        <WithoutPassword ways={ways} error={error} />
      )}
      {ways.hasPasskey && !ways.isFresh ? (
        <>
          <FormNotice text={undefined} kind="error" />
          <Button data-needs-passkeys data-confirms-by-passkey>
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
  if (ways.isFresh) return <p>You just signed in, so no confirmation is needed.</p>;
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
          hint="The six-digit code from your authenticator app."
        />
      ) : null}
      <p>Your account has no password. Confirm it’s you:</p>
      <ul className="disc-list stack gap-2">
        {ways.hasPasskey ? <li>With your passkey, if JavaScript is on.</li> : null}
        {ways.providers.map(({ id, name }) => (
          <li key={id}>
            <a href={`/sign-in/with/${id}?returnTo=${here}`}>{`Sign in with ${name} again`}</a>
          </li>
        ))}
        <li>
          <Link to="/forgot-password">Set a password with an emailed link</Link>
        </li>
      </ul>
    </>
  );
}
