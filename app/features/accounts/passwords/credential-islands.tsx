import { EmailField, SignInForm, SignUpForm } from './credential-forms.tsx';
import { AccountForm, useAccountPost } from '../account-form.tsx';
import { EmailSent } from '../email-sent.tsx';
import type { FormAnswer } from '../form-answer.ts';
import { type AccountFacts, ViewerProvider } from '../sessions/viewer-context.tsx';

interface Props {
  facts: Pick<AccountFacts, 'passwordMinLength' | 'providers'>;
  /** The response that was rendered with the page, without JavaScript. */
  answer: FormAnswer | undefined;
}

export function SignInIsland({ facts, answer, returnTo }: Props & { returnTo: string }) {
  const post = useAccountPost(answer?.values);
  return (
    <ViewerProvider viewer={null} {...facts}>
      <SignInForm post={post} firstAnswer={answer} returnTo={returnTo} />
    </ViewerProvider>
  );
}

export function SignUpIsland({ facts, answer }: Props) {
  const post = useAccountPost(answer?.values);
  return (
    <ViewerProvider viewer={null} {...facts}>
      <SignUpForm post={post} firstAnswer={answer} />
    </ViewerProvider>
  );
}

/** Renders the form that requests an emailed link. */
export function MailRequestIsland({
  answer: ofPage,
  email,
  ...form
}: Pick<Props, 'answer'> & {
  action: string;
  submitLabel: string;
  /** The signed-in user's address. */
  email: string | undefined;
}) {
  const own = email === undefined ? undefined : { values: { email } };
  const post = useAccountPost((ofPage ?? own)?.values);
  const answer = post.answer ?? ofPage;
  if (answer?.ok) {
    return <EmailSent answer={answer} resendAction={form.action} isNew={post.answer !== null} />;
  }
  return (
    <AccountForm {...form} post={post} answer={answer}>
      <EmailField answer={answer ?? own} />
    </AccountForm>
  );
}
