import { data, redirect } from 'react-router';
import type { Route } from './+types/setup-page';
import { readForm, signUpInput } from '#app/features/accounts/account-input.ts';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import { cookieHeaders } from '#app/features/accounts/answer-form.server.ts';
import {
  EmailField,
  NameField,
  NewPasswordField,
} from '#app/features/accounts/passwords/credential-forms.tsx';
import {
  claimSetupLink,
  isSetupLinkGood,
} from '#app/features/accounts/people/setup-link.server.ts';
import { enter } from '#app/features/accounts/sessions/sign-in.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { DeadLinkPanel } from '#app/ui/dead-link-panel.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import { accountMeta, PanelForm } from './account-panel.tsx';
import { readAccountPost } from './read-account-post.server.ts';

/**
 * Shows the page of the link that is printed when a site without administrators starts. Any other
 * token returns 404.
 */
export async function loader({ context, request }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('token')?.slice(0, 100) ?? '';
  const isGood = await isSetupLinkGood(appServices(context), token);
  return data({ token, isGood }, { status: isGood ? 200 : 404 });
}

export async function action({ context, request }: Route.ActionArgs) {
  const post = await readAccountPost(context, request);
  const { services, form, text, place, oldToken, refuse } = post;
  const read = readForm(signUpInput, form);
  if (!read.ok) return refuse(read);
  const { full_name: fullName, email, password } = read.value;
  const token = text('token').slice(0, 100);
  const result = await claimSetupLink(services, token, { fullName, email, password });
  if (result.ok) {
    const cookies = (await enter(services, result.userId, place, oldToken)) ?? [];
    return redirect('/admin/setup/site', { status: 303, headers: cookieHeaders(cookies) });
  }
  if (result.reason === 'dead-link') return refuse({ message: accountMessages.linkDead }, 410);
  if (result.reason === 'taken') {
    const words =
      'This address already has an account. Use `deals admin promote` for it, or enter another one.';
    return refuse({ errors: { email: words } });
  }
  return post.refuseWeak(result.reasons);
}

export const meta = accountMeta('Set up the site');

export default function SetupPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData.isGood) {
    return (
      <DeadLinkPanel actions={<ButtonLink to="/">Go to Homepage</ButtonLink>}>
        <p>{accountMessages.linkDead}</p>
        <p>If this site has no administrator yet, restart it. It prints a new link.</p>
      </DeadLinkPanel>
    );
  }
  return (
    <NarrowPage
      title="Create your account"
      intro="Step 1 of 5. You will be the owner: you can do everything."
    >
      <PanelForm fields={{ token: loaderData.token }} submitLabel="Create account" isMain>
        <FormNotice text={actionData?.message} kind="error" />
        <NameField answer={actionData} />
        <EmailField answer={actionData} autoComplete="username" />
        <NewPasswordField answer={actionData} />
      </PanelForm>
    </NarrowPage>
  );
}
