import { useEffect } from 'react';
import { usePost } from '#app/islands/use-post.ts';
import type { CaptchaQuestion } from '#app/platform/captcha/ask-question.server.ts';
import { CaptchaField } from '#app/platform/captcha/captcha-field.tsx';
import { useCaptcha } from '#app/platform/captcha/use-captcha.ts';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { ModalDialog } from '#app/ui/modal-dialog.tsx';
import type { ReportAbout } from './describe-reports.ts';
import { reportMessages } from './report-messages.ts';
import styles from './report-form.module.css';

export interface ReportAnswer {
  ok: boolean;
  message: string;
  /** Whoever sent it has to pass the human check. */
  needsCheck: boolean;
  question: CaptchaQuestion | null;
}

interface ReportFormProps {
  slug: string;
  about: ReportAbout;
  /** The code that it is about. */
  code: string | null;
  /** False for the signed-in, unless their answer says otherwise. */
  needsCheck: boolean;
  /** What became of a form that was sent without script. */
  answer?: ReportAnswer | null;
  /** In the dialog; without it the form is a page's own. */
  onClose?: () => void;
}

const closesAfterMs = 2_000;
const lost: ReportAnswer = {
  ok: false,
  message: reportMessages.failed,
  needsCheck: false,
  question: null,
};

/** What a visitor reports of a deal, over its page. */
export function ReportDialog({ onClose, ...form }: ReportFormProps & { onClose: () => void }) {
  return (
    <ModalDialog title={reportTitles[form.about]} onClose={onClose}>
      <ReportForm {...form} onClose={onClose} />
    </ModalDialog>
  );
}

export const reportTitles = {
  over: 'Is this deal over?',
  code: 'Does this code work?',
} satisfies Record<ReportAbout, string>;

/** In the dialog and on the page alike. Once it is sent, what became of it stands in its place. */
export function ReportForm({ slug, about, code, onClose, ...given }: ReportFormProps) {
  const { send, isBusy, answer: latest } = usePost(lost);
  const captcha = useCaptcha();
  const { reset, start } = captcha;
  const answer = latest ?? given.answer ?? null;
  const needsCheck = given.needsCheck || answer?.needsCheck === true;
  const isHeld = needsCheck && captcha.isBlocking;

  useEffect(() => {
    if (!latest) return;
    reset(latest.ok ? 'done' : 'again');
  }, [latest, reset]);

  const isOpened = onClose !== undefined;
  useEffect(() => {
    // Whoever opens the dialog has turned to it: the check is passed by the time they press.
    if (isOpened && needsCheck) start();
  }, [isOpened, needsCheck, start]);

  const isDone = answer?.ok === true;
  useEffect(() => {
    if (!isDone || !onClose) return undefined;
    // The page then says what was reported.
    const timer = setTimeout(() => location.reload(), closesAfterMs);
    return () => clearTimeout(timer);
  }, [isDone, onClose]);

  if (isDone) {
    return (
      <p className="line gap-2" role="status">
        <Icon name="check" />
        {answer.message}
      </p>
    );
  }
  return (
    <form
      method="post"
      action={`/deals/${slug}/report?about=${about}`}
      className={forms.stack}
      onSubmit={(event) => {
        event.preventDefault();
        if (needsCheck && captcha.holds(event.currentTarget)) return;
        void send(event.currentTarget);
      }}
    >
      <input type="hidden" name="about" value={about} />
      <FormNotice text={answer?.message} kind="error" />
      {about === 'code' && code !== null ? <CodeQuestion code={code} /> : <OverWords />}
      {needsCheck ? <CaptchaField captcha={captcha} question={answer?.question ?? null} /> : null}
      <div className={forms.actions}>
        {onClose ? <Button onClick={onClose}>Cancel</Button> : null}
        <Button type="submit" look="primary" isBusy={isBusy} isHeld={isHeld}>
          {about === 'code' ? 'Send' : 'Yes, it is over'}
        </Button>
      </div>
    </form>
  );
}

function OverWords() {
  return (
    <p className="small">
      You were at the store and this price is not there any more? Once three people have said so,
      the page says it too, and somebody of ours looks. It changes no order of any list.
    </p>
  );
}

function CodeQuestion({ code }: { code: string }) {
  return (
    <fieldset className={styles.choice}>
      <legend>
        You tried <code>{code}</code> at the checkout:
      </legend>
      <input type="hidden" name="code" value={code} />
      {choices.map(({ value, label }) => (
        <label key={value}>
          <input type="radio" name="works" value={value} required />
          {label}
        </label>
      ))}
      <p className="small">
        The page counts both answers of the last 14 days, with the time of the latest.
      </p>
    </fieldset>
  );
}

const choices = [
  { value: 'yes', label: 'It works' },
  { value: 'no', label: 'It does not work' },
];
