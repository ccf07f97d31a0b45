import { data, Form, Link } from 'react-router';
import type { Route } from './+types/two-factor-page';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import formStyles from '#app/features/accounts/account-form.module.css';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import { checkPassword } from '#app/features/accounts/check-password.server.ts';
import type { FormAnswer } from '#app/features/accounts/form-answer.ts';
import { refuseForm, refuseTooMany } from '#app/features/accounts/answer-form.server.ts';
import { requireUser } from '#app/features/accounts/session-context.server.ts';
import { toBase32, totpAddress } from '#app/features/accounts/totp.server.ts';
import {
  beginTwoFactor,
  confirmTwoFactor,
  countBackupCodes,
  endTwoFactor,
} from '#app/features/accounts/two-factor.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readText } from '#app/platform/read-text.ts';
import { Button } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { accountMeta } from './account-meta.ts';
import { AccountPanel } from './account-panel.tsx';
import styles from './profile-page.module.css';

type Answer = FormAnswer & { key?: string; address?: string; backupCodes?: string[] };

export async function loader({ context, request }: Route.LoaderArgs) {
  const user = requireUser(context, request);
  return {
    isOn: user.hasTwoFactor,
    email: user.email,
    backupCodeCount: await countBackupCodes(appServices(context), user.id),
  };
}

/** Each step asks for the password: an unlocked screen must not be enough to lock its owner out (R50). */
export async function action({ context, request }: Route.ActionArgs) {
  const user = requireUser(context, request);
  const services = appServices(context);
  const form = await request.formData();
  const intent = readText(form, 'intent');

  if (intent === 'confirm' && !user.hasTwoFactor) {
    const backupCodes = await confirmTwoFactor(
      services,
      user.id,
      readText(form, 'code').slice(0, 40),
    );
    if (backupCodes)
      return data<Answer>({ ok: true, message: 'The second step is on.', backupCodes });
    return data<Answer>(
      { ...(await showKey()), ok: false, errors: { code: accountMessages.wrongCode } },
      { status: 422 },
    );
  }
  const checked = await checkPassword(
    services,
    user.email,
    readText(form, 'password').slice(0, 1000),
  );
  if (!checked.ok) {
    return checked.reason === 'too-many'
      ? refuseTooMany(form, checked)
      : refuseForm(form, { errors: { password: accountMessages.wrongPassword } });
  }
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

export function meta({ matches }: Route.MetaArgs) {
  return accountMeta(matches[0].loaderData?.site, 'Second step');
}

export default function TwoFactorPage({ loaderData, actionData }: Route.ComponentProps) {
  const answer: Answer | undefined = actionData;
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
          <p className={formStyles.switch}>
            <Link to="/profile">Back to the profile</Link>
          </p>
        </>
      ) : answer?.key ? (
        <Form method="post" className={formStyles.form}>
          <p>Add this key to your authenticator app, then enter the six digits it shows.</p>
          <p className={styles.key}>{answer.key.match(/.{1,4}/g)?.join(' ')}</p>
          <p>
            On this device: <a href={answer.address}>open the app</a>
          </p>
          <input type="hidden" name="intent" value="confirm" />
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
        <Form method="post" className={formStyles.form}>
          <p>
            {loaderData.isOn
              ? `It is on. ${loaderData.backupCodeCount} backup codes are left.`
              : 'Signing in will ask for your password and for a code of an authenticator app.'}
          </p>
          <input type="hidden" name="intent" value={loaderData.isOn ? 'end' : 'begin'} />
          <PasswordField
            label="Your password"
            name="password"
            autoComplete="current-password"
            error={answer?.errors?.password}
          />
          <Button type="submit" look={loaderData.isOn ? 'danger' : 'primary'} isWide>
            {loaderData.isOn ? 'Switch it off' : 'Begin'}
          </Button>
        </Form>
      )}
    </AccountPanel>
  );
}
