import { PasswordField } from '#app/ui/password-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { AccountForm, type AccountPost } from '../account-form.tsx';
import { EmailSent } from '../email-sent.tsx';
import { PasskeySignIn } from '../passkeys/passkey-sign-in.tsx';
import { ProviderButtons } from '../providers/provider-buttons.tsx';
import type { FormAnswer } from '../form-answer.ts';
import { usePasswordMinLength } from '../sessions/viewer-context.tsx';

interface Props {
  post: AccountPost;
  /** The response that was rendered with the page, without JavaScript. */
  firstAnswer?: FormAnswer | undefined;
  returnTo?: string;
  /**
   * Called after signing in with a passkey in the dialog, which does not leave the page. The
   * sign-in page redirects instead.
   */
  onPasskey?: () => void;
}

export function SignInForm({ post, firstAnswer, returnTo, onPasskey }: Props) {
  const answer = post.answer ?? firstAnswer;
  const action = returnTo ? `/sign-in?returnTo=${encodeURIComponent(returnTo)}` : '/sign-in';
  return (
    <>
      <AccountForm post={post} action={action} answer={answer} submitLabel="Sign In">
        {onPasskey ? <input type="hidden" name="place" value="dialog" /> : null}
        <EmailField answer={answer} autoComplete="username" />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          maxLength={1000}
          error={answer?.errors?.password}
          aside={
            <a href="/forgot-password" data-document>
              Forgot password?
            </a>
          }
        />
      </AccountForm>
      <ProviderButtons returnTo={returnTo}>
        <PasskeySignIn returnTo={returnTo} onDone={onPasskey} />
      </ProviderButtons>
    </>
  );
}

export function SignUpForm({ post, firstAnswer, returnTo }: Props) {
  const answer = post.answer ?? firstAnswer;
  if (answer?.ok) {
    return (
      <EmailSent answer={answer} resendAction="/resend-verification" isNew={post.answer !== null} />
    );
  }
  return (
    <>
      <AccountForm post={post} action="/sign-up" answer={answer} submitLabel="Sign Up">
        <NameField answer={answer} />
        <EmailField answer={answer} autoComplete="username" />
        <NewPasswordField answer={answer} />
      </AccountForm>
      <ProviderButtons returnTo={returnTo} />
    </>
  );
}

interface FieldProps {
  answer: Partial<FormAnswer> | undefined;
}

/** Renders the name field. `present` is the user's current name. */
export function NameField({ answer, present }: FieldProps & { present?: string }) {
  return (
    <TextField
      label="Full Name"
      name="full_name"
      autoComplete="name"
      required
      maxLength={100}
      defaultValue={answer?.values?.full_name ?? present}
      error={answer?.errors?.full_name}
    />
  );
}

export function EmailField({
  answer,
  autoComplete = 'email',
}: FieldProps & { autoComplete?: string }) {
  return (
    <TextField
      label="Email"
      name="email"
      type="email"
      autoComplete={autoComplete}
      required
      maxLength={254}
      defaultValue={answer?.values?.email}
      error={answer?.errors?.email}
    />
  );
}

export function NewPasswordField({ answer, label = 'Password' }: FieldProps & { label?: string }) {
  const minLength = usePasswordMinLength();
  return (
    <PasswordField
      label={label}
      name="password"
      autoComplete="new-password"
      minLength={minLength}
      maxLength={128}
      hint={`At least ${minLength} characters. A few words in a row are easy to remember and hard to guess.`}
      error={answer?.errors?.password}
    />
  );
}
