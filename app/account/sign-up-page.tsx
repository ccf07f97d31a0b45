import { redirect } from 'react-router';
import type { Route } from './+types/sign-up-page';
import { readForm, signUpInput } from '#app/features/accounts/account-input.ts';
import { accountMessages, describeWeakPassword } from '#app/features/accounts/account-messages.ts';
import {
  acceptForm,
  refuseForm,
  refuseMachines,
} from '#app/features/accounts/answer-form.server.ts';
import { useAccountForm } from '#app/features/accounts/account-form.tsx';
import { SignUpForm } from '#app/features/accounts/passwords/credential-forms.tsx';
import type { FormAnswer } from '#app/features/accounts/form-answer.ts';
import { judgePassword } from '#app/features/accounts/passwords/judge-password.server.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { signUp } from '#app/features/accounts/people/sign-up.server.ts';
import { answerWhenLost } from '#app/platform/answer-when-lost.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { accountMeta } from './account-meta.ts';
import { AccountPanel, PanelLink } from './account-panel.tsx';

export function loader({ context }: Route.LoaderArgs) {
  if (currentUser(context)) throw redirect('/');
  return null;
}

export async function action({ context, request }: Route.ActionArgs) {
  const services = appServices(context);
  const { address } = requestFacts(context);
  const form = await readFormBody(request);
  const isMachine = await refuseMachines(services, form, address);
  if (isMachine) return isMachine;
  const read = readForm(signUpInput, form);
  if (!read.ok) return refuseForm(form, read);
  const { full_name: fullName, email, password } = read.value;
  const reasons = await judgePassword(services, password, { email, fullName });
  if (reasons.length > 0) {
    const words = describeWeakPassword(reasons, services.env.passwordMinLength);
    return refuseForm(form, { errors: { password: words } });
  }
  await signUp(services, { fullName, email, password }, address);
  return acceptForm(accountMessages.signedUp);
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  const lost: FormAnswer = { ok: false, message: accountMessages.failed };
  return answerWhenLost(serverAction, lost);
}

export const meta = accountMeta('Sign Up');

export default function SignUpPage({ actionData }: Route.ComponentProps) {
  const fetcher = useAccountForm();
  return (
    <AccountPanel title="Sign Up">
      <SignUpForm fetcher={fetcher} firstAnswer={actionData} />
      <PanelLink to="/sign-in">Already have an account? Sign in</PanelLink>
      <PanelLink to="/resend-verification">No mail arrived? Send it again</PanelLink>
    </AccountPanel>
  );
}
