import type { Route } from './+types/reset-password-page';
import { readForm, resetInput } from '#app/features/accounts/account-input.ts';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import { acceptForm } from '#app/features/accounts/answer-form.server.ts';
import { NewPasswordField } from '#app/features/accounts/passwords/credential-forms.tsx';
import {
  isResetLinkGood,
  resetPassword,
} from '#app/features/accounts/passwords/reset-password.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { DonePanel } from '#app/ui/done-panel.tsx';
import { PrimaryLink } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import { accountMeta, DeadAccountLink, PanelForm } from './account-panel.tsx';
import { readAccountPost } from './read-account-post.server.ts';

/** Shows only the form, so that a mail scanner that opens the link does not use it up. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('token')?.slice(0, 100) ?? '';
  return { token, isGood: await isResetLinkGood(appServices(context), token) };
}

export async function action({ context, request }: Route.ActionArgs) {
  const { services, form, refuse, refuseWeak } = await readAccountPost(context, request);
  const read = readForm(resetInput, form);
  if (!read.ok) return refuse(read);
  const result = await resetPassword(services, read.value);
  if (result.ok) return acceptForm(accountMessages.passwordReset);
  if (result.reason === 'dead-link') return refuse({ message: accountMessages.linkDead }, 410);
  return refuseWeak(result.reasons);
}

export const meta = accountMeta('Set a new password');

export default function ResetPasswordPage({ loaderData, actionData }: Route.ComponentProps) {
  const { token, isGood } = loaderData;
  if (actionData?.ok) {
    return (
      <NarrowPage title="Set a new password">
        <DonePanel
          icon="check"
          title="Password changed"
          actions={<PrimaryLink to="/sign-in">Sign In</PrimaryLink>}
        >
          {actionData.message}
        </DonePanel>
      </NarrowPage>
    );
  }
  // A password that is too weak does not use up the link.
  if (!isGood && !actionData?.errors) {
    return (
      <DeadAccountLink>
        <PrimaryLink to="/forgot-password">Get a new link</PrimaryLink>
      </DeadAccountLink>
    );
  }
  return (
    <NarrowPage title="Set a new password">
      <FormNotice text={actionData?.message} kind="error" />
      <PanelForm fields={{ token }} submitLabel="Set password" isMain>
        <NewPasswordField answer={actionData} label="New password" />
      </PanelForm>
    </NarrowPage>
  );
}
