import { useEffect, useId, useRef, useState } from 'react';
import { useFetcher } from 'react-router';
import { CaptchaField } from '#app/platform/captcha/captcha-field.tsx';
import { useCaptcha } from '#app/platform/captcha/use-captcha.ts';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { TextField } from '#app/ui/text-field.tsx';
import { messageClearsAfterMs, newsletterMessages } from './newsletter-messages.ts';
import type { SubscribeAnswer } from './subscribe-answer.ts';
import styles from './newsletter-form.module.css';

/**
 * Without script the form posts to `/newsletter`, whose page shows the `answer`; with script it stands below the field
 * for five seconds.
 */
export function NewsletterForm({ answer }: { answer?: SubscribeAnswer | null }) {
  const fetcher = useFetcher<SubscribeAnswer>();
  const captcha = useCaptcha();
  const form = useRef<HTMLFormElement>(null);
  const messageId = useId();
  const isBusy = fetcher.state !== 'idle';
  const { message, show } = useMessage(answer ?? null);
  const { reset } = captcha;
  const latest = fetcher.data;

  useEffect(() => {
    if (!latest) return;
    show(latest);
    reset(); // a token is good for one attempt
    if (latest.ok) form.current?.reset();
  }, [latest, reset, show]);

  return (
    <fetcher.Form
      ref={form}
      method="post"
      action="/newsletter"
      className={`${forms.stack} ${styles.form}`}
      defaultShouldRevalidate={false}
      noValidate
      onSubmit={(event) => {
        const email = event.currentTarget.elements.namedItem('email');
        if (isBusy) event.preventDefault();
        else if (email instanceof HTMLInputElement && !email.validity.valid) {
          event.preventDefault();
          show({ ok: false, message: newsletterMessages.invalidEmail });
          email.focus();
        }
      }}
    >
      <TextField
        label="Email address"
        type="email"
        name="email"
        autoComplete="email"
        inputMode="email"
        maxLength={254}
        required
        placeholder="you@example.com"
        defaultValue={answer && !answer.ok ? answer.email : ''}
        aria-describedby={messageId}
      />
      <CaptchaField captcha={captcha} question={latest?.question ?? answer?.question ?? null} />
      <Button type="submit" look="primary" disabled={captcha.isBlocking} isBusy={isBusy}>
        {isBusy ? 'Subscribing…' : 'Subscribe'}
      </Button>
      <p id={messageId} className={styles.message} role="status" data-ok={message?.ok}>
        {message?.message}
      </p>
    </fetcher.Form>
  );
}

type Message = Pick<SubscribeAnswer, 'ok' | 'message'>;

/** A message that clears by itself; one that a page without script shows stays. */
function useMessage(first: Message | null) {
  const [message, show] = useState<Message | null>(first);
  useEffect(() => {
    if (!message) return undefined;
    const timer = setTimeout(() => show(null), messageClearsAfterMs);
    return () => clearTimeout(timer);
  }, [message]);
  return { message, show };
}
