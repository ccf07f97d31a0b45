import { data, Form, useSearchParams } from 'react-router';
import type { Route } from './+types/two-factor-page';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import {
  confirmIdentity,
  identityWays,
  readProof,
} from '#app/features/accounts/confirm-identity.server.ts';
import { IdentityField } from '#app/features/accounts/identity-field.tsx';
import type { FormAnswer } from '#app/features/accounts/form-answer.ts';
import { refuseForm, refuseIdentity } from '#app/features/accounts/answer-form.server.ts';
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
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import forms from '#app/ui/form.module.css';
import { Button } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { accountMeta } from './account-meta.ts';
import { AccountPanel, PanelLink } from './account-panel.tsx';
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

/** The app in question cannot vouch for its owner here. */
function withoutApp(user: SessionUser): SessionUser {
  return { ...user, hasTwoFactor: false };
}

/** Each step asks again who sits there: an unlocked screen must not be enough to lock its owner out (R50). */
export async function action({ context, request }: Route.ActionArgs) {
  const user = requireProvedUser(context, request);
  const services = appServices(context);
  const form = await readFormBody(request);
  const intent = readText(form, 'intent');

  if (intent === 'confirm' && !user.hasTwoFactor) {
    const backupCodes = await confirmTwoFactor(
      services,
      user.id,
      readText(form, 'code').slice(0, 40),
    );
    if (backupCodes)
      return data<Answer>({ ok: true, message: 'The second step is on.', backupCodes });
    // Shown again to those alone who were shown it: the question who they are stood before that.
    const isKnown = await isBegunKey(services, user.id, readText(form, 'key').slice(0, 100));
    if (!isKnown) return refuseForm(form, { message: accountMessages.wrongCode });
    return data<Answer>(
      { ...(await showKey()), ok: false, errors: { code: accountMessages.wrongCode } },
      { status: 422 },
    );
  }
  if (intent !== 'begin' && intent !== 'end') {
    return refuseForm(form, { message: accountMessages.failed }, 400);
  }
  const confirmed = await confirmIdentity(services, withoutApp(user), readProof(form));
  if (!confirmed.ok) return refuseIdentity(form, confirmed);
  if (intent === 'end') {
    await endTwoFactor(services, user.id);
    return data<Answer>({ ok: true, message: 'The second step is off.' });
  }
  if (user.hasTwoFactor) return refuseForm(form, { message: accountMessages.failed }, 409);
  return data<Answer>({ ok: true, ...(await showKey()) });

  async function showKey() {
    const key = await beginTwoFactor(services, user.id);
    const { siteName } = await readSiteSettings(services.db);
    return { key: toBase32(key), address: totpAddress(key, { site: siteName, email: user.email }) };
  }
}

export const headers = keepRetryAfter;

export const meta = accountMeta('Second step');

export default function TwoFactorPage({ loaderData, actionData }: Route.ComponentProps) {
  const answer: Answer | undefined = actionData;
  const [query] = useSearchParams();
  const returnTo = safeReturnPath(query.get('returnTo'));
  return (
    <AccountPanel title="Second step">
      <FormNotice text={answer?.message} kind={answer?.ok ? 'success' : 'error'} />
      {answer?.backupCodes ? (
        <>
          <p>
            Keep these backup codes where you find them without your phone. Each works once, and
            they are not shown again.
          </p>
          <ul className={styles.codes}>
            {answer.backupCodes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
          {returnTo === '/' ? (
            <PanelLink to="/profile">Back to the profile</PanelLink>
          ) : (
            <PanelLink to={returnTo}>Go on</PanelLink>
          )}
        </>
      ) : answer?.key ? (
        <Form method="post" className={forms.stack}>
          <p>Add this key to your authenticator app, then enter the six digits it shows.</p>
          <p className={styles.key}>{answer.key.match(/.{1,4}/g)?.join(' ')}</p>
          <p>
            On this device: <a href={answer.address}>open the app</a>
          </p>
          <input type="hidden" name="intent" value="confirm" />
          <input type="hidden" name="key" value={answer.key} />
          <TextField
            label="Code"
            name="code"
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            maxLength={10}
            error={answer.errors?.code}
          />
          <Button type="submit" look="primary" isWide>
            Switch it on
          </Button>
        </Form>
      ) : (
        <Form method="post" className={forms.stack}>
          <p>
            {loaderData.isOn
              ? `It is on. ${loaderData.backupCodeCount} backup codes are left.`
              : 'Signing in will ask for your password and for a code of an authenticator app.'}
          </p>
          <input type="hidden" name="intent" value={loaderData.isOn ? 'end' : 'begin'} />
          <IdentityField ways={loaderData.ways} error={answer?.errors?.['password']} />
          <Button type="submit" look={loaderData.isOn ? 'danger' : 'primary'} isWide>
            {loaderData.isOn ? 'Switch it off' : 'Begin'}
          </Button>
        </Form>
      )}
    </AccountPanel>
  );
}
