import { useEffect, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { FurtherIcon } from '#app/ui/further-icon.tsx';
import { useAccountForm } from '../account-form.tsx';
import { accountMessages } from '../account-messages.ts';
import { knowsPasskeys, signWithPasskey } from './browser-passkeys.ts';

/** Signing in without a password. Where the browser knows no passkeys there is nothing to see. */
export function PasskeySignIn({
  returnTo,
  onDone,
}: {
  returnTo: string | undefined;
  /** In the dialog: the page stays, and the dialog goes. */
  onDone: (() => void) | undefined;
}) {
  const fetcher = useAccountForm();
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isDone = fetcher.data?.ok ?? false;

  useEffect(() => {
    if (isDone) onDone?.();
  }, [isDone, onDone]);

  if (!knowsPasskeys()) return null;

  async function signIn(): Promise<void> {
    setIsAsking(true);
    setProblem(undefined);
    try {
      const answer = await fetch('/api/passkeys/challenge', { method: 'POST' });
      if (!answer.ok) throw new Error(accountMessages.failed);
      const credential = await signWithPasskey(
        (await answer.json()) as PublicKeyCredentialRequestOptionsJSON,
      );
      const query = returnTo ? `?returnTo=${encodeURIComponent(returnTo)}` : '';
      await fetcher.submit(
        { credential, place: onDone ? 'dialog' : 'page' },
        { method: 'post', action: `/api/passkeys/sign-in${query}` },
      );
    } catch (error) {
      const isClosed = error instanceof DOMException;
      setProblem(isClosed ? accountMessages.passkeyCancelled : accountMessages.failed);
    } finally {
      setIsAsking(false);
    }
  }

  const isBusy = isAsking || fetcher.state !== 'idle';
  return (
    <>
      <FormNotice
        text={problem ?? fetcher.data?.message}
        kind={isDone && !problem ? 'success' : 'error'}
      />
      <Button isWide isBusy={isBusy} onClick={() => void signIn()}>
        <FurtherIcon name="key" size={18} />
        Sign in with a passkey
      </Button>
    </>
  );
}
