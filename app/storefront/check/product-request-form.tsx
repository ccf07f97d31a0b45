import type { ReportAnswer } from '#app/features/reports/report-form.tsx';
import { usePost } from '#app/islands/use-post.ts';
import { CaptchaField } from '#app/platform/captcha/captcha-field.tsx';
import { useCheckedPost } from '#app/islands/use-checked-post.ts';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';

const lost: ReportAnswer = {
  ok: false,
  message: 'Your request could not be saved. Please try again.',
  needsCheck: false,
  question: null,
};

/** Asks the owner to add a product that the price check doesn't know. */
export function ProductRequestForm({
  action,
  ...given
}: {
  /** The URL of the check, which identifies the product. */
  action: string;
  /** Whether a captcha is required, which is not the case for signed-in users. */
  needsCheck: boolean;
  /** The result of submitting the form without JavaScript. */
  answer: ReportAnswer | null;
}) {
  const post = usePost(lost);
  const answer = post.answer ?? given.answer;
  const needsCheck = given.needsCheck || answer?.needsCheck === true;
  const { captcha, submit, isHeld } = useCheckedPost(post, needsCheck);

  if (answer?.ok) return <FormNotice text={answer.message} kind="success" />;
  return (
    <form method="post" action={action} className={forms.stack} onSubmit={submit}>
      <FormNotice text={answer?.message} kind="error" />
      {needsCheck ? (
        <CaptchaField captcha={captcha} question={answer?.question ?? null} isQuiet />
      ) : null}
      <div className={forms.actions}>
        <Button type="submit" isBusy={post.isBusy} isHeld={isHeld}>
          Ask us to add it
        </Button>
      </div>
      <p className="small">
        We store the link and the product’s name until 90 days after the last request, but not who
        asked.
      </p>
    </form>
  );
}
