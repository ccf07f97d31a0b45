import { useEffect, useRef, useState } from 'react';
import { useFetcher } from 'react-router';
import { readText } from '#app/platform/read-text.ts';
import { useIsHydrated } from '#app/platform/use-is-hydrated.ts';
import { Button } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { accountMessages } from '../account-messages.ts';
import { createPasskey, knowsPasskeys } from './browser-passkeys.ts';
import type { FormAnswer } from '../form-answer.ts';
import { IdentityField } from '../identity-field.tsx';
import type { IdentityWays } from '../confirm-identity.server.ts';

export type PasskeyFormAnswer = FormAnswer & {
  /** Options for the browser to create the passkey, after the identity check. */
  options?: PublicKeyCredentialCreationOptionsJSON;
};

/**
 * Asks for a name and an identity check, then lets the browser create the passkey, which needs
 * JavaScript.
 */
export function AddPasskeyForm({ ways }: { ways: IdentityWays }) {
  const fetcher = useFetcher<PasskeyFormAnswer>();
  const { submit } = fetcher;
  const [problem, setProblem] = useState<string>();
  const [settled, setSettled] = useState<PublicKeyCredentialCreationOptionsJSON>();
  const form = useRef<HTMLFormElement>(null);
  const name = useRef('');
  const isHydrated = useIsHydrated();
  const answer = fetcher.data;
  const options = answer?.options;
  const isPrompting = options !== undefined && settled !== options;

  useEffect(() => {
    if (!options) return;
    createPasskey(options)
      .then((credential) =>
        submit({ intent: 'finish', name: name.current, credential }, { method: 'post' }),
      )
      .catch((error: unknown) => {
        const isThere = error instanceof Error && error.name === 'InvalidStateError';
        setProblem(isThere ? accountMessages.passkeyExists : accountMessages.passkeyCancelled);
      })
      .finally(() => setSettled(options));
  }, [options, submit]);

  useEffect(() => {
    if (answer?.ok && answer.message) form.current?.reset();
  }, [answer]);

  if (!isHydrated || !knowsPasskeys()) {
    return <p>This browser cannot create a passkey, or JavaScript is off.</p>;
  }
  return (
    <fetcher.Form
      ref={form}
      method="post"
      onSubmit={(event) => {
        name.current = readText(new FormData(event.currentTarget), 'name');
        setProblem(undefined);
      }}
    >
      <FormNotice
        text={problem ?? answer?.message}
        kind={answer?.ok && !problem ? 'success' : 'error'}
      />
      <input type="hidden" name="intent" value="begin" />
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        required
        maxLength={60}
        hint="Helps you recognize it: Work laptop, Phone, Blue key."
        error={answer?.errors?.name}
      />
      <IdentityField ways={ways} error={answer?.errors?.['password']} />
      <Button type="submit" look="primary" isWide isBusy={isPrompting || fetcher.state !== 'idle'}>
        {isPrompting ? accountMessages.busy : 'Add a passkey'}
      </Button>
    </fetcher.Form>
  );
}
