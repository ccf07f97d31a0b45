import { data } from 'react-router';
import type { Route } from './+types/passkeys-page';
import { readForm } from '#app/features/accounts/account-input.ts';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import {
  AddPasskeyForm,
  type PasskeyFormAnswer,
} from '#app/features/accounts/passkeys/add-passkey-form.tsx';
import { addPasskey, beginPasskey } from '#app/features/accounts/passkeys/add-passkey.server.ts';
import { acceptForm } from '#app/features/accounts/answer-form.server.ts';
import { identityWays } from '#app/features/accounts/confirm-identity.server.ts';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import {
  newPasskeyAnswer,
  passkeyNameInput,
  readAnswer,
} from '#app/features/accounts/passkeys/passkey-input.ts';
import { listPasskeys } from '#app/features/accounts/passkeys/passkey-queries.server.ts';
import { removePasskey } from '#app/features/accounts/remove-way-in.server.ts';
import { requireVerifiedUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { accountMeta, useMoments } from './account-panel.tsx';
import { readAccountPost } from './read-account-post.server.ts';
import { summariseWays } from './summarise-ways.server.ts';
import { WaysToSignIn } from './ways-to-sign-in.tsx';
import { WaysInList } from './ways-in-list.tsx';
import styles from './passkeys-page.module.css';

export async function loader({ context, request }: Route.LoaderArgs) {
  const user = requireVerifiedUser(context, request);
  const services = appServices(context);
  return {
    passkeys: await listPasskeys(services.db, user.id),
    ways: await identityWays(services, user),
    summary: await summariseWays(services, user),
  };
}

/** Adding and removing both require an identity check, so that an unlocked screen is not enough. */
export async function action({ context, request }: Route.ActionArgs) {
  const user = requireVerifiedUser(context, request);
  const post = await readAccountPost(context, request);
  const { services, form, text, intent, refuse } = post;

  if (intent === 'finish') {
    const read = readForm(passkeyNameInput, form);
    if (!read.ok) return refuse(read);
    // The identity check was done before this challenge was issued.
    const answer = readAnswer(newPasskeyAnswer, text('credential'));
    return answer && (await addPasskey(services, user, read.value.name, answer))
      ? acceptForm(accountMessages.passkeyAdded)
      : refuse({ message: accountMessages.passkeyRefused });
  }
  if (intent !== 'begin' && intent !== 'remove') return post.fail(400);
  const named = intent === 'begin' ? readForm(passkeyNameInput, form) : null;
  if (named && !named.ok) return refuse(named);
  // The error is shown at the form that was sent. The page has a form to add a passkey, and one to
  // remove each.
  const refused = await post.refuseStranger(user, intent === 'begin' ? 'password' : 'remove');
  if (refused) return refused;
  if (intent === 'remove') {
    const removed = await removePasskey(services, user, text('passkey'));
    if (removed.ok) return acceptForm(accountMessages.passkeyRemoved);
    return removed.reason === 'last-way'
      ? refuse({ message: accountMessages.lastWayIn }, 409)
      : post.fail(404);
  }
  const { siteName } = await readSiteSettings(services.db);
  const options = await beginPasskey(services, user, siteName);
  return options
    ? data<PasskeyFormAnswer>({ ok: true, options, values: { name: text('name') } })
    : refuse({ message: accountMessages.tooManyPasskeys }, 409);
}

export const headers = keepRetryAfter;

export const meta = accountMeta('Passkeys');

export default function PasskeysPage({ loaderData, actionData }: Route.ComponentProps) {
  const { passkeys, ways, summary } = loaderData;
  const answer: PasskeyFormAnswer | undefined = actionData;
  const momentOf = useMoments();
  return (
    <WaysToSignIn current="passkeys" summary={summary}>
      <p>
        A passkey signs you in with your fingerprint, face or device PIN. No password or code is
        needed, and it cannot be guessed or phished.
      </p>
      <FormNotice
        text={answer?.message ?? answer?.errors?.['remove']}
        kind={answer?.ok ? 'success' : 'error'}
      />
      {passkeys.length === 0 ? (
        <p>You have no passkeys yet.</p>
      ) : (
        <WaysInList
          items={passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
            id,
            name,
            note: `added ${momentOf(createdAt)}, ${lastUsedAt ? `last used ${momentOf(lastUsedAt)}` : 'never used'}`,
            fields: { intent: 'remove', passkey: id },
          }))}
          verb="Remove"
          ways={ways}
        />
      )}
      <section className={`stack gap-4 ${styles.section}`} aria-labelledby="add-passkey">
        <h3 id="add-passkey">Add this device</h3>
        <AddPasskeyForm ways={ways} answer={answer} />
      </section>
    </WaysToSignIn>
  );
}
