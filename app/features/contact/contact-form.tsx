import { useEffect, useRef } from 'react';
import { usePost } from '#app/islands/use-post.ts';
import { CaptchaField } from '#app/platform/captcha/captcha-field.tsx';
import { captchaMessages } from '#app/platform/captcha/captcha-messages.ts';
import { useCheckedPost } from '#app/islands/use-checked-post.ts';
import { Button, ButtonLink, PrimaryLink } from '#app/ui/button.tsx';
import { DonePanel } from '#app/ui/done-panel.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { ContactAnswer, ContactRefusal } from './contact-answer.ts';
import { type ContactField, contactLimits, trapField } from './contact-limits.ts';
import { contactMessages, withinHours } from './contact-messages.ts';
import styles from './contact-form.module.css';

const lost: ContactAnswer = {
  ok: false,
  message: contactMessages.failed,
  errors: {},
  values: {},
  question: null,
};

interface ContactFormProps {
  /** The result of a form sent without JavaScript. */
  answer: ContactAnswer | null;
  /** The sender's address, if known, to prefill the field. */
  email: string;
  replyHours: number | null;
}

/** Renders a contact form, and its outcome once the form is sent. */
export function ContactForm({ answer: ofPage, email, replyHours }: ContactFormProps) {
  const post = usePost(lost);
  const { isBusy, answer: latest } = post;
  const box = useRef<HTMLElement>(null);
  const { captcha, submit, isHeld } = useCheckedPost(post);
  const answer = latest ?? ofPage;
  const refusal = answer?.ok ? null : answer;
  const values = { email, ...(ofPage?.ok ? null : ofPage?.values) };

  useEffect(() => {
    if (latest?.ok === false) box.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [latest]);

  return (
    <section ref={box} className={styles.box} aria-labelledby="write">
      {answer?.ok ? (
        <MessageSent replyHours={replyHours} isNew={latest !== null} />
      ) : (
        <>
          <h2 id="write">Send us a message</h2>
          <p className="below-4 muted">All four fields are required.</p>
          <form method="post" action="/contact" className={forms.stack} onSubmit={submit}>
            <FormNotice text={refusal?.message} kind="error" />
            <Fields values={values} errors={refusal?.errors ?? {}} />
            <Trap />
            <CaptchaField captcha={captcha} question={refusal?.question ?? null} />
            <Button
              type="submit"
              variant="primary"
              isWide
              isBusy={isBusy}
              isHeld={isHeld}
              title={isHeld ? captchaMessages.missing : undefined}
            >
              {isBusy ? contactMessages.sending : contactMessages.send}
            </Button>
          </form>
        </>
      )}
    </section>
  );
}

/** Renders the fields. `values` are initial values; the fields keep later input themselves. */
function Fields({ values, errors }: Pick<ContactRefusal, 'values' | 'errors'>) {
  /** Returns props common to all fields: maximum length and errors. */
  const field = (name: ContactField) => ({
    name,
    maxLength: contactLimits[name],
    required: true,
    defaultValue: values[name],
    error: errors[name],
  });
  return (
    <>
      <div className={forms.row}>
        <TextField label="Name" type="text" autoComplete="name" {...field('name')} />
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          inputMode="email"
          {...field('email')}
        />
      </div>
      <TextField label="Subject" type="text" autoComplete="off" {...field('subject')} />
      <TextAreaField
        label="Message"
        rows={8}
        {...field('message')}
        hint={`At most ${contactLimits.message.toLocaleString('en-US')} characters. A link to the deal helps.`}
      />
    </>
  );
}

function MessageSent({ replyHours, isNew }: { replyHours: number | null; isNew: boolean }) {
  return (
    <DonePanel
      icon="check"
      isNew={isNew}
      title={contactMessages.sent}
      titleId="write"
      actions={
        <>
          <PrimaryLink to="/contact">{contactMessages.sendAnother}</PrimaryLink>
          <ButtonLink to="/deals">Browse All Deals</ButtonLink>
        </>
      }
    >
      Thank you for writing to us. We answer{withinHours(replyHours)}, to the address you gave.
    </DonePanel>
  );
}

/** Renders a honeypot for bots, hidden from sight, screen readers and keyboard. */
function Trap() {
  return (
    <div className={styles.trap} aria-hidden="true">
      <label>
        Leave this blank
        <input type="text" name={trapField} tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  );
}
