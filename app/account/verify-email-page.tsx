import type { Route } from './+types/verify-email-page';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import { acceptForm } from '#app/features/accounts/answer-form.server.ts';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { describeIdentityRefusal } from '#app/features/accounts/confirm-identity.server.ts';
import {
  findUserToVerify,
  verifyEmail,
} from '#app/features/accounts/people/verify-email.server.ts';
import { saveWishes } from '#app/features/follows/wished-follow.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { DonePanel } from '#app/ui/done-panel.tsx';
import { PrimaryLink } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import { accountMeta, DeadAccountLink, PanelForm, PanelLink } from './account-panel.tsx';
import { readAccountPost } from './read-account-post.server.ts';

/** Shows only the form, so that a mail scanner that opens the link verifies nothing. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('token')?.slice(0, 100) ?? '';
  return { token, isGood: (await findUserToVerify(appServices(context), token)) !== null };
}

export async function action({ context, request }: Route.ActionArgs) {
  const post = await readAccountPost(context, request);
  const { services, text, place, oldToken } = post;
  const typed = { token: text('token').slice(0, 100), password: text('password').slice(0, 1000) };
  const result = await verifyEmail(services, typed, place, oldToken);
  if (result.ok) {
    const saved = await saveWishes(services, request, result.userId);
    return acceptForm(accountMessages.emailVerified, [...result.cookies, ...saved]);
  }
  if (result.reason === 'too-many') return post.refuseTooMany(result);
  if (result.reason === 'dead-link') return post.refuse({ message: accountMessages.linkDead }, 410);
  if (result.reason === 'suspended') return post.refuse({ message: accountMessages.suspended });
  return post.refuse({ errors: { password: describeIdentityRefusal(result.reason) } });
}

export const headers = keepRetryAfter;

export const meta = accountMeta('Verify your email address');

export default function VerifyEmailPage({ loaderData, actionData }: Route.ComponentProps) {
  if (actionData?.ok) {
    return (
      <NarrowPage title="Verify your email address">
        <DonePanel
          icon="check"
          title="Address verified"
          actions={<PrimaryLink to="/profile">Go to your profile</PrimaryLink>}
        >
          {actionData.message}
        </DonePanel>
      </NarrowPage>
    );
  }
  if (!loaderData.isGood && (!actionData || actionData.message === accountMessages.linkDead)) {
    return (
      <DeadAccountLink>
        <PrimaryLink to="/resend-verification">Get a new link</PrimaryLink>
      </DeadAccountLink>
    );
  }
  return (
    <NarrowPage
      title="Verify your email address"
      intro="Enter the password you chose when you signed up to verify your address. If you did not sign up, do nothing."
    >
      <FormNotice text={actionData?.message} kind="error" />
      <PanelForm fields={{ token: loaderData.token }} submitLabel="Verify my email address" isMain>
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          maxLength={1000}
          error={actionData?.errors?.password}
        />
      </PanelForm>
      <PanelLink to="/forgot-password">Set a new password instead</PanelLink>
    </NarrowPage>
  );
}
