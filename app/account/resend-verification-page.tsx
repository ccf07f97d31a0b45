import { Link } from 'react-router';
import type { Route } from './+types/resend-verification-page';
import { AccountForm } from '#app/features/accounts/account-form.tsx';
import formStyles from '#app/features/accounts/account-form.module.css';
import { emailInput, readForm } from '#app/features/accounts/account-input.ts';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import {
  acceptForm,
  refuseForm,
  refuseMachines,
} from '#app/features/accounts/answer-form.server.ts';
import { EmailField, useAccountForm } from '#app/features/accounts/credential-forms.tsx';
import { resendVerification } from '#app/features/accounts/verify-email.server.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { accountMeta } from './account-meta.ts';
import { AccountPanel } from './account-panel.tsx';

export async function action({ context, request }: Route.ActionArgs) {
  const services = appServices(context);
  const { address } = requestFacts(context);
  const form = await request.formData();
  const isMachine = await refuseMachines(services, form, address);
  if (isMachine) return isMachine;
  const read = readForm(emailInput, form);
  if (!read.ok) return refuseForm(form, read);
  await resendVerification(services, read.value.email, address);
  return acceptForm(accountMessages.verificationSent);
}

export function meta({ matches }: Route.MetaArgs) {
  return accountMeta(matches[0].loaderData?.site, 'Verify your email address');
}

export default function ResendVerificationPage({ actionData }: Route.ComponentProps) {
  const fetcher = useAccountForm();
  const answer = fetcher.data ?? actionData;
  return (
    <AccountPanel title="Verify your email address">
      <p>We mail you a new link that verifies your address.</p>
      <AccountForm
        fetcher={fetcher}
        action="/resend-verification"
        answer={answer}
        submitLabel="Send the link again"
      >
        <EmailField answer={answer} />
      </AccountForm>
      <p className={formStyles.switch}>
        <Link to="/sign-in">Back to Sign In</Link>
      </p>
    </AccountPanel>
  );
}
