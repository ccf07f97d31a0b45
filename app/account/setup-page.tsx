import { data, Form, redirect, useNavigation } from 'react-router';
import type { Route } from './+types/setup-page';
import { readForm, signUpInput } from '#app/features/accounts/account-input.ts';
import { accountMessages, describeWeakPassword } from '#app/features/accounts/account-messages.ts';
import { cookieHeaders, refuseForm } from '#app/features/accounts/answer-form.server.ts';
import {
  EmailField,
  NameField,
  NewPasswordField,
} from '#app/features/accounts/passwords/credential-forms.tsx';
import { sessionPlace } from '#app/features/accounts/sessions/session-place.server.ts';
import {
  claimSetupLink,
  isSetupLinkGood,
} from '#app/features/accounts/people/setup-link.server.ts';
import { enter } from '#app/features/accounts/sessions/sign-in.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import forms from '#app/ui/form.module.css';
import { Button } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { accountMeta } from './account-meta.ts';
import { AccountPanel } from './account-panel.tsx';

/** The link printed at the start of a site without administrators (R33). Any other token finds nothing here. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('token')?.slice(0, 100) ?? '';
  const isGood = await isSetupLinkGood(appServices(context), token);
  return data({ token, isGood }, { status: isGood ? 200 : 404 });
}

export async function action({ context, request }: Route.ActionArgs) {
  const services = appServices(context);
  const form = await readFormBody(request);
  const read = readForm(signUpInput, form);
  if (!read.ok) return refuseForm(form, read);
  const { full_name: fullName, email, password } = read.value;
  const token = readText(form, 'token').slice(0, 100);
  const result = await claimSetupLink(services, token, { fullName, email, password });
  if (result.ok) {
    const { place, oldToken } = sessionPlace(context, request);
    const cookies = await enter(services, result.userId, place, oldToken);
    return redirect('/admin/setup/site', { status: 303, headers: cookieHeaders(cookies) });
  }
  if (result.reason === 'dead-link')
    return refuseForm(form, { message: accountMessages.linkDead }, 410);
  if (result.reason === 'taken') {
    const words =
      'This address has an account already. Use `deals admin promote` for it, or another one.';
    return refuseForm(form, { errors: { email: words } });
  }
  const words = describeWeakPassword(result.reasons, services.env.passwordMinLength);
  return refuseForm(form, { errors: { password: words } });
}

export const meta = accountMeta('Set up the site');

export default function SetupPage({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
  if (!loaderData.isGood) {
    return (
      <AccountPanel title="Make the owner’s account">
        <FormNotice text={accountMessages.linkDead} kind="error" />
        <p>A site without an administrator prints a new one when it starts.</p>
      </AccountPanel>
    );
  }
  return (
    <AccountPanel title="Make the owner’s account">
      <p>Step 1 of 3</p>
      <p>It becomes the first super_admin: it may do everything, and make others administrators.</p>
      <Form method="post" className={forms.stack}>
        <FormNotice text={actionData?.message} kind="error" />
        <input type="hidden" name="token" value={loaderData.token} />
        <NameField answer={actionData} />
        <EmailField answer={actionData} autoComplete="username" />
        <NewPasswordField answer={actionData} />
        <Button type="submit" look="primary" isWide isBusy={isBusy}>
          {isBusy ? accountMessages.busy : 'Make the account'}
        </Button>
      </Form>
    </AccountPanel>
  );
}
