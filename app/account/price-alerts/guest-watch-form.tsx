import { useEffect } from 'react';
import { Form } from 'react-router';
import type { CaptchaQuestion } from '#app/platform/captcha/ask-question.server.ts';
import { CaptchaField } from '#app/platform/captcha/captcha-field.tsx';
import { useCaptcha } from '#app/platform/captcha/use-captcha.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { EmailField } from '#app/ui/email-field.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import type { Cadence } from '#app/features/watched-searches/watch-cadence.ts';
import { CadenceField } from './cadence-field.tsx';
import styles from './price-alerts-page.module.css';

/** What somebody without an account is answered. */
export interface GuestWatchAnswer {
  done?: string;
  error?: string;
  question?: CaptchaQuestion | null;
  /** As typed, so that nobody types it twice. */
  email?: string;
  cadence?: Cadence;
}

/** Asks how often and whereto; the address is confirmed by a mail of its own. */
export function GuestWatchForm({
  search,
  signInPath,
  answer,
}: {
  search: { address: string; name: string };
  signInPath: string;
  answer: GuestWatchAnswer | undefined;
}) {
  const captcha = useCaptcha();
  const { reset } = captcha;
  useEffect(() => {
    if (answer) reset(answer.done ? 'done' : 'again');
  }, [answer, reset]);
  if (answer?.done) {
    return (
      <div className={`${forms.stack} ${styles.narrow}`}>
        <FormNotice text={answer.done} kind="success" />
        <div className={forms.actions}>
          <ButtonLink to={search.address}>Back to the list</ButtonLink>
        </div>
      </div>
    );
  }
  return (
    <Form
      method="post"
      className={`${forms.stack} ${styles.narrow}`}
      // What is wrong is said in our words, by the server.
      noValidate
      onSubmit={(event) => {
        if (captcha.holds(event.currentTarget)) event.preventDefault();
      }}
    >
      <p>
        <strong>{search.name}</strong>
      </p>
      <CadenceField cadence={answer?.cadence ?? 'daily'} />
      <EmailField defaultValue={answer?.email} />
      <CaptchaField captcha={captcha} question={answer?.question ?? null} />
      <p className="small">
        First you get a link to confirm your address; each mail has one to change or stop what you
        watch. At most one mail an hour for a search, and ten a day in all.
      </p>
      <FormNotice text={answer?.error} kind="error" />
      <div className={forms.actions}>
        <ButtonLink to={signInPath}>Sign in instead</ButtonLink>
        <Button type="submit" look="primary" isHeld={captcha.isBlocking}>
          Watch
        </Button>
      </div>
    </Form>
  );
}
