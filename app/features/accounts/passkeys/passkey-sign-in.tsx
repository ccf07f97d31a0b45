import { useEffect } from 'react';
import { Button } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { FurtherIcon } from '#app/ui/further-icon.tsx';
import { useAccountForm } from '../account-form.tsx';
import { knowsPasskeys, signWithPasskey, usePasskeyPrompt } from './browser-passkeys.ts';

/** Signs in without a password. Shows nothing in a browser without passkeys. */
export function PasskeySignIn({
  returnTo,
  onDone,
}: {
  returnTo: string | undefined;
  /** In the dialog: closes it, and the page stays. */
  onDone: (() => void) | undefined;
}) {
  const fetcher = useAccountForm();
  const { isAsking, problem, ask } = usePasskeyPrompt();
  const isDone = fetcher.data?.ok ?? false;

  useEffect(() => {
    if (isDone) onDone?.();
  }, [isDone, onDone]);

  if (!knowsPasskeys()) return null;

  async function signIn(): Promise<void> {
    const credential = await signWithPasskey('sign-in');
    const query = returnTo ? `?returnTo=${encodeURIComponent(returnTo)}` : '';
    await fetcher.submit(
      { credential, place: onDone ? 'dialog' : 'page' },
      { method: 'post', action: `/api/passkeys/sign-in${query}` },
    );
  }

  const isBusy = isAsking || fetcher.state !== 'idle';
  return (
    <>
      <FormNotice
        text={problem ?? fetcher.data?.message}
        kind={isDone && !problem ? 'success' : 'error'}
      />
      <Button isWide isBusy={isBusy} onClick={() => void ask(signIn)}>
        <FurtherIcon name="key" size={18} />
        Sign in with a passkey
      </Button>
    </>
  );
}
