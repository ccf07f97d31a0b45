import type { Route } from './+types/reset-password-page';
import { readForm, resetInput } from '#app/features/accounts/account-input.ts';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import { acceptForm } from '#app/features/accounts/answer-form.server.ts';
import { NewPasswordField } from '#app/features/accounts/passwords/credential-forms.tsx';
import { resetPassword } from '#app/features/accounts/passwords/reset-password.server.ts';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { accountMeta, AccountPanel, PanelForm, PanelLink } from './account-panel.tsx';
import { readAccountPost } from './read-account-post.server.ts';

/** Shows only the form, so that a mail scanner that opens the link does not use it up. */
export function loader({ request }: Route.LoaderArgs) {
  return { token: new URL(request.url).searchParams.get('token')?.slice(0, 100) ?? '' };
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
  return (
    <AccountPanel title="Set a new password">
      <FormNotice text={actionData?.message} kind={actionData?.ok ? 'success' : 'error'} />
      {actionData?.ok ? (
        <PanelLink to="/sign-in">Sign In</PanelLink>
      ) : (
        <>
          <PanelForm fields={loaderData} submitLabel="Set password" isMain>
            <NewPasswordField answer={actionData} label="New password" />
          </PanelForm>
          <PanelLink to="/forgot-password">Get a new link</PanelLink>
        </>
      )}
    </AccountPanel>
  );
}
