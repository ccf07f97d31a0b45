import { useEffect } from 'react';
import { Button } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { FurtherIcon } from '#app/ui/further-icon.tsx';
import { useAccountPost } from '../account-form.tsx';
import { showPasskeys, signWithPasskey } from './browser-passkeys.ts';
import { usePasskeyPrompt } from './use-passkey-prompt.ts';

/** Renders the button to sign in with a passkey. Browsers without passkeys hide it. */
export function PasskeySignIn({
  returnTo,
  onDone,
}: {
  returnTo?: string | undefined;
  /** Called after the sign-in in the dialog, which closes without leaving the page. */
  onDone?: (() => void) | undefined;
}) {
  const { send, isBusy, answer } = useAccountPost();
  const { isAsking, problem, ask } = usePasskeyPrompt();
  const isDone = answer?.ok ?? false;

  useEffect(showPasskeys, []);
  useEffect(() => {
    if (isDone) onDone?.();
  }, [isDone, onDone]);

  async function signIn(): Promise<void> {
    const credential = await signWithPasskey('sign-in');
    const query = returnTo ? `?returnTo=${encodeURIComponent(returnTo)}` : '';
    await send({
      action: `/api/passkeys/sign-in${query}`,
      fields: { credential, place: onDone ? 'dialog' : 'page' },
    });
  }

  return (
    <>
      <FormNotice
        text={problem ?? answer?.message}
        kind={isDone && !problem ? 'success' : 'error'}
      />
      <Button
        isWide
        isBusy={isAsking || isBusy}
        data-needs-passkeys
        onClick={() => void ask(signIn)}
      >
        <FurtherIcon name="key" size={18} />
        Sign in with a passkey
      </Button>
    </>
  );
}
