import { Form, useNavigation } from 'react-router';
import type { Route } from './+types/reset-password-page';
import { readForm, resetInput } from '#app/features/accounts/account-input.ts';
import { accountMessages, describeWeakPassword } from '#app/features/accounts/account-messages.ts';
import { acceptForm, refuseForm } from '#app/features/accounts/answer-form.server.ts';
import { NewPasswordField } from '#app/features/accounts/passwords/credential-forms.tsx';
import { resetPassword } from '#app/features/accounts/passwords/reset-password.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import forms from '#app/ui/form.module.css';
import { Button } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { accountMeta } from './account-meta.ts';
import { AccountPanel, PanelLink } from './account-panel.tsx';

/** Only shows the form: a mail scanner that opens the link uses nothing up (R15). */
export function loader({ request }: Route.LoaderArgs) {
  return { token: new URL(request.url).searchParams.get('token')?.slice(0, 100) ?? '' };
}

export async function action({ context, request }: Route.ActionArgs) {
  const services = appServices(context);
  const form = await readFormBody(request);
  const read = readForm(resetInput, form);
  if (!read.ok) return refuseForm(form, read);
  const result = await resetPassword(services, read.value);
  if (result.ok) return acceptForm(accountMessages.passwordReset);
  if (result.reason === 'dead-link')
    return refuseForm(form, { message: accountMessages.linkDead }, 410);
  const words = describeWeakPassword(result.reasons, services.env.passwordMinLength);
  return refuseForm(form, { errors: { password: words } });
}

export const meta = accountMeta('Set a new password');

export default function ResetPasswordPage({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
  return (
    <AccountPanel title="Set a new password">
      <FormNotice text={actionData?.message} kind={actionData?.ok ? 'success' : 'error'} />
      {actionData?.ok ? (
        <PanelLink to="/sign-in">Sign In</PanelLink>
      ) : (
        <>
          <Form method="post" className={forms.stack}>
            <input type="hidden" name="token" value={loaderData.token} />
            <NewPasswordField answer={actionData} label="New password" />
            <Button type="submit" look="primary" isWide isBusy={isBusy}>
              {isBusy ? accountMessages.busy : 'Set the password'}
            </Button>
          </Form>
          <PanelLink to="/forgot-password">Ask for a new link</PanelLink>
        </>
      )}
    </AccountPanel>
  );
}
