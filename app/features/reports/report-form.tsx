import { useEffect } from 'react';
import { usePost } from '#app/islands/use-post.ts';
import type { CaptchaQuestion } from '#app/platform/captcha/ask-question.server.ts';
import { CaptchaField } from '#app/platform/captcha/captcha-field.tsx';
import { useCheckedPost } from '#app/islands/use-checked-post.ts';
import { Button } from '#app/ui/button.tsx';
import { DonePanel } from '#app/ui/done-panel.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { ModalDialog } from '#app/ui/modal-dialog.tsx';
import type { ReportAbout } from './describe-reports.ts';
import { reportMessages } from './report-messages.ts';
import styles from './report-form.module.css';

export interface ReportAnswer {
  ok: boolean;
  message: string;
  /** Whether the sender must pass the captcha. */
  needsCheck: boolean;
  question: CaptchaQuestion | null;
}

interface ReportFormProps {
  /** The URL of the report page, such as `/deals/desk-lamp/report?about=over`. */
  action: string;
  about: ReportAbout;
  /** The coupon code that the report is about. */
  code: string | null;
  /** The offer that the report is about, if its page shows several. */
  subject?: string;
  /** `false` if signed in, unless the response asks for the captcha. */
  needsCheck: boolean;
  /** The result of a form sent without JavaScript. */
  answer?: ReportAnswer | null;
  /** Closes the dialog. Absent on the form's own page. */
  onClose?: () => void;
}

const closesAfterMs = 2_000;
const lost: ReportAnswer = {
  ok: false,
  message: reportMessages.failed,
  needsCheck: false,
  question: null,
};

/** Shows a report form in a dialog over the deal's page. */
export function ReportDialog({ onClose, ...form }: ReportFormProps & { onClose: () => void }) {
  return (
    <ModalDialog title={reportTitles[form.about]} onClose={onClose}>
      <ReportForm {...form} onClose={onClose} />
    </ModalDialog>
  );
}

export const reportTitles = {
  over: 'Has this deal expired?',
  code: 'Does this code work?',
  product: 'Not the same product?',
} satisfies Record<ReportAbout, string>;

/**
 * Renders a report form, in the dialog and on the page. The result replaces the form once it is
 * sent.
 */
export function ReportForm({ action, about, code, subject, onClose, ...given }: ReportFormProps) {
  const post = usePost(lost);
  const answer = post.answer ?? given.answer ?? null;
  const needsCheck = given.needsCheck || answer?.needsCheck === true;
  const { captcha, submit, isHeld } = useCheckedPost(post, needsCheck);
  const { start } = captcha;

  const isOpened = onClose !== undefined;
  useEffect(() => {
    // The captcha starts when the dialog opens, so that it is solved before the form is sent.
    if (isOpened && needsCheck) start();
  }, [isOpened, needsCheck, start]);

  const isDone = answer?.ok === true;
  useEffect(() => {
    if (!isDone || !onClose) return undefined;
    // The reloaded page includes the report.
    const timer = setTimeout(() => location.reload(), closesAfterMs);
    return () => clearTimeout(timer);
  }, [isDone, onClose]);

  if (isDone) {
    return (
      <DonePanel icon="check" title="Report sent" isNew={post.answer !== null}>
        {answer.message}
      </DonePanel>
    );
  }
  return (
    <form method="post" action={action} className={forms.stack} onSubmit={submit}>
      <input type="hidden" name="about" value={about} />
      <FormNotice text={answer?.message} kind="error" />
      {subject === undefined ? null : <p className="strong anywhere">{subject}</p>}
      {about === 'code' && code !== null ? <CodeQuestion code={code} /> : null}
      {about === 'over' ? <ExpiredText /> : null}
      {about === 'product' ? <ProductText /> : null}
      {needsCheck ? <CaptchaField captcha={captcha} question={answer?.question ?? null} /> : null}
      <div className={forms.actions}>
        <Button type="submit" variant="primary" isBusy={post.isBusy} isHeld={isHeld}>
          {sendLabels[about]}
        </Button>
        {onClose ? <Button onClick={onClose}>Cancel</Button> : null}
      </div>
    </form>
  );
}

const sendLabels = {
  over: 'Yes, it has expired',
  code: 'Send',
  product: 'Yes, it is another product',
} satisfies Record<ReportAbout, string>;

function ProductText() {
  return (
    <p className="small">
      Is this offer another product, such as another model, size, color or pack? Our team compares
      it with the other offers, and takes it out of the comparison if you are right.
    </p>
  );
}

function ExpiredText() {
  return (
    <p className="small">
      Is this price no longer available at the store? After three reports, the page shows this and
      our team checks it. Reports do not affect the order of any list.
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
        The page shows all answers of the last 14 days, and the time of the latest.
      </p>
    </fieldset>
  );
}

const choices = [
  { value: 'yes', label: 'It works' },
  { value: 'no', label: 'It does not work' },
];
