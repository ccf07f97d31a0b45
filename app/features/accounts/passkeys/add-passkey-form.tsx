import { Button } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { accountMessages } from '../account-messages.ts';
import type { FormAnswer } from '../form-answer.ts';
import { IdentityField } from '../identity-field.tsx';
import type { IdentityWays } from '../confirm-identity.server.ts';

export type PasskeyFormAnswer = FormAnswer & {
  /** The browser's options to create the passkey, returned after the identity check. */
  options?: PublicKeyCredentialCreationOptionsJSON;
};

/** Asks for a name and the identity, then lets the browser create the passkey (`make-passkey.ts`). */
export function AddPasskeyForm({
  ways,
  answer,
}: {
  ways: IdentityWays;
  answer: PasskeyFormAnswer | undefined;
}) {
  return (
    <>
      <p data-without-passkeys>This browser cannot create a passkey, or JavaScript is off.</p>
      <form
        method="post"
        data-in-place=""
        data-needs-passkeys
        data-passkey-options={answer?.options && JSON.stringify(answer.options)}
      >
        <FormNotice text={undefined} kind="error" />
        <input type="hidden" name="intent" value="begin" />
        <TextField
          label="Name"
          name="name"
          autoComplete="off"
          required
          maxLength={60}
          defaultValue={answer?.values?.['name']}
          hint="Helps you recognize it, such as Work laptop, Phone or Blue key."
          error={answer?.errors?.['name']}
        />
        <IdentityField ways={ways} error={answer?.errors?.['password']} />
        <Button type="submit" variant="primary" isWide data-busy={accountMessages.busy}>
          Add a passkey
        </Button>
      </form>
    </>
  );
}
