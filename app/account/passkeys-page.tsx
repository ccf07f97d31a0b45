import { data, Form, useNavigation } from 'react-router';
import type { Route } from './+types/passkeys-page';
import { readForm } from '#app/features/accounts/account-input.ts';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import {
  AddPasskeyForm,
  type PasskeyFormAnswer,
} from '#app/features/accounts/passkeys/add-passkey-form.tsx';
import { addPasskey, beginPasskey } from '#app/features/accounts/passkeys/add-passkey.server.ts';
import {
  acceptForm,
  refuseForm,
  refuseIdentity,
} from '#app/features/accounts/answer-form.server.ts';
import {
  confirmIdentity,
  identityWays,
  readProof,
} from '#app/features/accounts/confirm-identity.server.ts';
import { IdentityField } from '#app/features/accounts/identity-field.tsx';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import {
  newPasskeyAnswer,
  passkeyNameInput,
  readAnswer,
} from '#app/features/accounts/passkeys/passkey-input.ts';
import { listPasskeys } from '#app/features/accounts/passkeys/passkey-queries.server.ts';
import { removePasskey } from '#app/features/accounts/remove-way-in.server.ts';
import { requireProvedUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import forms from '#app/ui/form.module.css';
import { Button } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { accountMeta } from './account-meta.ts';
import { AccountPanel, PanelLink } from './account-panel.tsx';
import styles from './passkeys-page.module.css';

export async function loader({ context, request }: Route.LoaderArgs) {
  const user = requireProvedUser(context, request);
  const services = appServices(context);
  return {
    passkeys: await listPasskeys(services.db, user.id),
    ways: await identityWays(services, user),
  };
}

/** Adding and removing ask again who sits there: an unlocked screen must not be enough (R50). */
export async function action({ context, request }: Route.ActionArgs) {
  const user = requireProvedUser(context, request);
  const services = appServices(context);
  const form = await readFormBody(request);
  const intent = readText(form, 'intent');

  if (intent === 'finish') {
    const read = readForm(passkeyNameInput, form);
    if (!read.ok) return refuseForm(form, read);
    // The challenge in it was given out after the question who they are.
    const answer = readAnswer(newPasskeyAnswer, readText(form, 'credential'));
    return answer && (await addPasskey(services, user, read.value.name, answer))
      ? acceptForm(accountMessages.passkeyAdded)
      : refuseForm(form, { message: accountMessages.passkeyRefused });
  }
  if (intent !== 'begin' && intent !== 'remove') {
    return refuseForm(form, { message: accountMessages.failed }, 400);
  }
  const named = intent === 'begin' ? readForm(passkeyNameInput, form) : null;
  if (named && !named.ok) return refuseForm(form, named);
  const confirmed = await confirmIdentity(services, user, readProof(form));
  if (!confirmed.ok) return refuseIdentity(form, confirmed);
  if (intent === 'remove') {
    const removed = await removePasskey(services, user, readText(form, 'passkey'));
    if (removed.ok) return acceptForm(accountMessages.passkeyRemoved);
    return removed.reason === 'last-way'
      ? refuseForm(form, { message: accountMessages.lastWayIn }, 409)
      : refuseForm(form, { message: accountMessages.failed }, 404);
  }
  const { siteName } = await readSiteSettings(services.db);
  const options = await beginPasskey(services, user, siteName);
  return options
    ? data<PasskeyFormAnswer>({ ok: true, options })
    : refuseForm(form, { message: accountMessages.tooManyPasskeys }, 409);
}

export const headers = keepRetryAfter;

export const meta = accountMeta('Passkeys');

export default function PasskeysPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <AccountPanel title="Passkeys">
      <p>
        A passkey signs you in with your fingerprint, your face or the PIN of your device, without a
        password and without a code. It cannot be guessed or phished.
      </p>
      <FormNotice
        text={actionData?.message ?? actionData?.errors?.password}
        kind={actionData?.ok ? 'success' : 'error'}
      />
      <PasskeyList {...loaderData} />
      <section className={styles.section} aria-labelledby="add-passkey">
        <h2 id="add-passkey">Add this device</h2>
        <AddPasskeyForm ways={loaderData.ways} />
      </section>
      <PanelLink to="/profile">Back to the profile</PanelLink>
    </AccountPanel>
  );
}

function PasskeyList({ passkeys, ways }: Route.ComponentProps['loaderData']) {
  const { timeZone } = useSite();
  const isBusy = useNavigation().state === 'submitting';
  const time = (date: Date) =>
    date.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone });
  if (passkeys.length === 0) return <p>You have no passkey yet.</p>;
  return (
    <ul className={styles.passkeys}>
      {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
        <li key={id}>
          <p>
            <strong>{name}</strong>
            <br />
            <small>
              added {time(createdAt)}, {lastUsedAt ? `last used ${time(lastUsedAt)}` : 'never used'}
            </small>
          </p>
          <details className={styles.section}>
            <summary>Remove {name}</summary>
            <Form method="post" className={forms.stack}>
              <input type="hidden" name="intent" value="remove" />
              <input type="hidden" name="passkey" value={id} />
              <IdentityField ways={ways} />
              <Button type="submit" look="danger" isBusy={isBusy}>
                Remove
              </Button>
            </Form>
          </details>
        </li>
      ))}
    </ul>
  );
}
