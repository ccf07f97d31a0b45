import { DonePanel } from '#app/ui/done-panel.tsx';
import { AccountForm, useAccountPost } from './account-form.tsx';
import type { FormAnswer } from './form-answer.ts';

/** Replaces a form once its email is on the way, and sends the email again on request. */
export function EmailSent({
  answer: { message, values },
  resendAction,
  isNew,
}: {
  answer: FormAnswer;
  /** The URL that the form posts to in order to send another email. */
  resendAction: string;
  /** Whether the response arrived on this page, which moves the focus to it. */
  isNew: boolean;
}) {
  const post = useAccountPost();
  const email = values?.['email'];

  return (
    <DonePanel
      address={email}
      isNew={isNew}
      actions={
        email ? (
          <AccountForm
            isQuiet
            post={post}
            action={resendAction}
            answer={post.answer ?? undefined}
            submitLabel="Resend"
          >
            <input type="hidden" name="email" value={email} />
          </AccountForm>
        ) : null
      }
    >
      {message}
    </DonePanel>
  );
}
