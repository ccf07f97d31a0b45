import type { ReactNode } from 'react';
import { AccountForm, useAccountForm } from '#app/features/accounts/account-form.tsx';
import { EmailField } from '#app/features/accounts/passwords/credential-forms.tsx';
import type { FormAnswer } from '#app/features/accounts/form-answer.ts';
import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import { AccountPanel, PanelLink } from './account-panel.tsx';

/** Asks for an address, to mail something to it. */
export function MailRequestPanel({
  title,
  action,
  submitLabel,
  firstAnswer,
  children,
}: {
  title: string;
  action: string;
  submitLabel: string;
  firstAnswer: FormAnswer | undefined;
  children: ReactNode;
}) {
  const fetcher = useAccountForm();
  const viewer = useViewer();
  const own: FormAnswer | undefined = viewer
    ? { ok: false, values: { email: viewer.email } }
    : undefined;
  const answer = fetcher.data ?? firstAnswer;
  return (
    <AccountPanel title={title}>
      <p>{children}</p>
      <AccountForm fetcher={fetcher} action={action} answer={answer} submitLabel={submitLabel}>
        <EmailField answer={answer ?? own} />
      </AccountForm>
      {viewer ? (
        <PanelLink to="/profile">Back to the profile</PanelLink>
      ) : (
        <PanelLink to="/sign-in">Back to Sign In</PanelLink>
      )}
    </AccountPanel>
  );
}
