import { Form, useNavigation } from 'react-router';
import type { Route } from './+types/verify-email-page';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import {
  acceptForm,
  refuseForm,
  refuseTooMany,
} from '#app/features/accounts/answer-form.server.ts';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { describeIdentityRefusal } from '#app/features/accounts/confirm-identity.server.ts';
import { sessionPlace } from '#app/features/accounts/sessions/session-place.server.ts';
import {
  findUserToVerify,
  verifyEmail,
} from '#app/features/accounts/people/verify-email.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import forms from '#app/ui/form.module.css';
import { Button } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';
import { accountMeta } from './account-meta.ts';
import { AccountPanel, PanelLink } from './account-panel.tsx';

/** Only shows the form: a mail scanner that opens the link verifies nothing (R15). */
export async function loader({ context, request }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('token')?.slice(0, 100) ?? '';
  return { token, isGood: (await findUserToVerify(appServices(context), token)) !== null };
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = await readFormBody(request);
  const typed = {
    token: readText(form, 'token').slice(0, 100),
    password: readText(form, 'password').slice(0, 1000),
  };
  const { place, oldToken } = sessionPlace(context, request);
  const result = await verifyEmail(appServices(context), typed, place, oldToken);
  if (result.ok) return acceptForm(accountMessages.emailVerified, result.cookies);
  if (result.reason === 'too-many') return refuseTooMany(form, result);
  if (result.reason === 'dead-link')
    return refuseForm(form, { message: accountMessages.linkDead }, 410);
  return refuseForm(form, { errors: { password: describeIdentityRefusal(result.reason) } });
}

export const headers = keepRetryAfter;

export const meta = accountMeta('Verify your email address');

export default function VerifyEmailPage({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
  const isDone = actionData?.ok === true;
  const isDead = !loaderData.isGood && !isDone;
  return (
    <AccountPanel title="Verify your email address">
      <FormNotice
        text={actionData?.message ?? (isDead ? accountMessages.linkDead : undefined)}
        kind={isDone ? 'success' : 'error'}
      />
      {isDone ? (
        <PanelLink to="/profile">Go to your profile</PanelLink>
      ) : isDead ? (
        <PanelLink to="/resend-verification">Ask for a new link</PanelLink>
      ) : (
        <>
          <Form method="post" className={forms.stack}>
            <p>
              Give the password you chose when you signed up, and your address is verified. If it
              was somebody else who signed up, do nothing.
            </p>
            <input type="hidden" name="token" value={loaderData.token} />
            <PasswordField
              label="Password"
              name="password"
              autoComplete="current-password"
              maxLength={1000}
              error={actionData?.errors?.password}
            />
            <Button type="submit" look="primary" isWide isBusy={isBusy}>
              {isBusy ? accountMessages.busy : 'Verify my email address'}
            </Button>
          </Form>
          <PanelLink to="/forgot-password">Set a new password instead</PanelLink>
        </>
      )}
    </AccountPanel>
  );
}
