import { useEffect, useRef } from 'react';
import { Form, useNavigation } from 'react-router';
import { CaptchaField } from '#app/platform/captcha/captcha-field.tsx';
import { captchaMessages } from '#app/platform/captcha/captcha-messages.ts';
import { useCaptcha } from '#app/platform/captcha/use-captcha.ts';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { ContactAnswer } from './contact-answer.ts';
import { type ContactField, contactLimits, trapField } from './contact-limits.ts';
import { contactMessages } from './contact-messages.ts';
import styles from './contact-form.module.css';

interface ContactFormProps {
  answer: Exclude<ContactAnswer, { ok: true }> | null;
  email: string;
}

/** Posts to the page it stands on. `answer` is what became of the last attempt; `email` is offered when it is known. */
export function ContactForm({ answer, email }: ContactFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const captcha = useCaptcha();
  const { reset } = captcha;
  const isBusy = useNavigation().state === 'submitting';
  /** What the fields have in common: their longest, and what became of them. */
  const field = (name: ContactField) => ({
    name,
    maxLength: contactLimits[name],
    required: true,
    defaultValue: answer?.values[name],
    error: answer?.errors[name],
  });

  useEffect(() => {
    if (!answer) return;
    reset(); // a token is good for one attempt
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [answer, reset]);

  return (
    <Form ref={form} method="post" className={forms.stack} preventScrollReset>
      <FormNotice text={answer?.message} kind="error" />
      <div className={forms.row}>
        <TextField label="Name" type="text" autoComplete="name" {...field('name')} />
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          inputMode="email"
          {...field('email')}
          defaultValue={answer?.values.email ?? email}
        />
      </div>
      <TextField label="Subject" type="text" autoComplete="off" {...field('subject')} />
      <TextAreaField
        label="Message"
        rows={8}
        {...field('message')}
        hint={`At most ${contactLimits.message.toLocaleString('en-US')} characters. A link to the deal helps.`}
      />
      <Trap />
      <CaptchaField captcha={captcha} question={answer?.question ?? null} />
      <Button
        type="submit"
        look="primary"
        isBusy={isBusy}
        disabled={captcha.isBlocking}
        title={captcha.isBlocking ? captchaMessages.missing : undefined}
      >
        {isBusy ? contactMessages.sending : contactMessages.send}
      </Button>
    </Form>
  );
}

/** For machines that fill in whatever they find: no person sees it, hears of it or comes to it by keyboard. */
function Trap() {
  return (
    <div className={styles.trap} aria-hidden="true">
      <label>
        Leave this empty
        <input type="text" name={trapField} tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  );
}
