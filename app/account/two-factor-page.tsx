import { data, useSearchParams } from 'react-router';
import type { Route } from './+types/two-factor-page';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import { identityWays } from '#app/features/accounts/confirm-identity.server.ts';
import { IdentityField } from '#app/features/accounts/identity-field.tsx';
import type { FormAnswer } from '#app/features/accounts/form-answer.ts';
import { safeReturnPath } from '#app/features/accounts/sessions/safe-return-path.ts';
import {
  requireProvedUser,
  type SessionUser,
} from '#app/features/accounts/sessions/session-context.server.ts';
import { toBase32, totpAddress } from '#app/features/accounts/two-factor/totp.server.ts';
import {
  beginTwoFactor,
  confirmTwoFactor,
  countBackupCodes,
  endTwoFactor,
  isBegunKey,
} from '#app/features/accounts/two-factor/two-factor.server.ts';
import { useFailedAct } from '#app/islands/failed-acts/failed-act-context.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { NarrowPage } from '#app/ui/narrow-page.tsx';
import { accountMeta, PanelForm, PanelLink } from './account-panel.tsx';
import { readAccountPost } from './read-account-post.server.ts';
import styles from './profile-page.module.css';

type Answer = FormAnswer & { key?: string; address?: string; backupCodes?: string[] };

export async function loader({ context, request }: Route.LoaderArgs) {
  const user = requireProvedUser(context, request);
  const services = appServices(context);
  return {
    isOn: user.hasTwoFactor,
    backupCodeCount: await countBackupCodes(services, user.id),
    ways: await identityWays(services, withoutApp(user)),
  };
}

/** Returns the user without the app in question, which cannot prove their identity here. */
function withoutApp(user: SessionUser): SessionUser {
  return { ...user, hasTwoFactor: false };
}

/** Each step requires an identity check, so that an unlocked screen cannot lock the user out. */
export async function action({ context, request }: Route.ActionArgs) {
  const user = requireProvedUser(context, request);
  const post = await readAccountPost(context, request);
  const { services, text, intent } = post;

  if (intent === 'confirm' && !user.hasTwoFactor) {
    const backupCodes = await confirmTwoFactor(services, user.id, text('code').slice(0, 40));
    if (backupCodes)
      return data<Answer>({ ok: true, message: 'Two-factor authentication is on.', backupCodes });
    // The key is shown again only if this user has seen it, which required the identity check.
    const isKnown = await isBegunKey(services, user.id, text('key').slice(0, 100));
    if (!isKnown) return post.refuse({ message: accountMessages.wrongCode });
    return data<Answer>(
      { ...(await showKey()), ok: false, errors: { code: accountMessages.wrongCode } },
      { status: 422 },
    );
  }
  if (intent !== 'begin' && intent !== 'end') return post.fail(400);
  const refused = await post.refuseStranger(withoutApp(user));
  if (refused) return refused;
  if (intent === 'end') {
    await endTwoFactor(services, user.id);
    return data<Answer>({ ok: true, message: 'Two-factor authentication is off.' });
  }
  if (user.hasTwoFactor) return post.fail(409);
  return data<Answer>({ ok: true, ...(await showKey()) });

  async function showKey() {
    const key = await beginTwoFactor(services, user.id);
    const { siteName } = await readSiteSettings(services.db);
    return { key: toBase32(key), address: totpAddress(key, { site: siteName, email: user.email }) };
  }
}

export const headers = keepRetryAfter;

export const meta = accountMeta('Two-factor authentication');

export default function TwoFactorPage({ loaderData, actionData }: Route.ComponentProps) {
  const answer: Answer | undefined = actionData;
  // A confirmation that failed with an error continues with the key it sent.
  const failed = useFailedAct();
  const key = answer?.key ?? failed?.values['key']?.at(-1);
  const [query] = useSearchParams();
  const returnTo = safeReturnPath(query.get('returnTo'));
  return (
    <NarrowPage title="Two-factor authentication">
      <FormNotice text={answer?.message} kind={answer?.ok ? 'success' : 'error'} />
      {answer?.backupCodes ? (
        <>
          <p>
            Keep these backup codes where you can find them without your phone. Each works once, and
            we won’t show them again.
          </p>
          <ul className={styles.codes}>
            {answer.backupCodes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
          <PanelLink to={returnTo === '/' ? '/profile' : returnTo}>
            {returnTo === '/' ? 'Back to the profile' : 'Continue'}
          </PanelLink>
        </>
      ) : key && !loaderData.isOn ? (
        <PanelForm fields={{ intent: 'confirm', key }} submitLabel="Turn it on" isMain>
          <p>Add this key to your authenticator app, then enter the six digits it shows.</p>
          <p className="anywhere mono">{key.match(/.{1,4}/g)?.join(' ')}</p>
          {answer?.address ? (
            <p>
              On this device: <a href={answer.address}>open the app</a>
            </p>
          ) : null}
          <TextField
            label="Code"
            name="code"
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            maxLength={10}
            error={answer?.errors?.['code']}
          />
        </PanelForm>
      ) : (
        <PanelForm
          fields={{ intent: loaderData.isOn ? 'end' : 'begin' }}
          submitLabel={loaderData.isOn ? 'Turn it off' : 'Set it up'}
          look={loaderData.isOn ? 'danger' : 'primary'}
          isMain
        >
          <p>
            {loaderData.isOn
              ? `Two-factor authentication is on. You have ${loaderData.backupCodeCount} backup codes left.`
              : 'Signing in will ask for your password and a code from an authenticator app.'}
          </p>
          <IdentityField ways={loaderData.ways} error={answer?.errors?.['password']} />
        </PanelForm>
      )}
    </NarrowPage>
  );
}
