import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { AccountForm, useAccountForm } from '#app/features/accounts/account-form.tsx';
import formStyles from '#app/features/accounts/account-form.module.css';
import { EmailField } from '#app/features/accounts/credential-forms.tsx';
import type { FormAnswer } from '#app/features/accounts/form-answer.ts';
import { useViewer } from '#app/features/accounts/viewer-context.tsx';
import { AccountPanel } from './account-panel.tsx';

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
      <p className={formStyles.switch}>
        {viewer ? (
          <Link to="/profile">Back to the profile</Link>
        ) : (
          <Link to="/sign-in">Back to Sign In</Link>
        )}
      </p>
    </AccountPanel>
  );
}
