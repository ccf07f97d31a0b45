import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { usePost } from '#app/islands/use-post.ts';
import { CaptchaField } from '#app/platform/captcha/captcha-field.tsx';
import { captchaMessages } from '#app/platform/captcha/captcha-messages.ts';
import { useCheckedPost } from '#app/islands/use-checked-post.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { DonePanel } from '#app/ui/done-panel.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import forms from '#app/ui/form.module.css';
import { EmailField } from '#app/ui/email-field.tsx';
import { messageClearsAfterMs, newsletterMessages } from './newsletter-messages.ts';
import type { SubscribeAnswer } from './subscribe-answer.ts';
import styles from './newsletter-form.module.css';

const lost: SubscribeAnswer = {
  ok: false,
  message: newsletterMessages.failed,
  email: '',
  question: null,
};

/**
 * Renders the newsletter form. Without JavaScript it posts to `/newsletter`, whose page shows the
 * `answer`. With JavaScript, the message appears below the field for five seconds.
 */
export function NewsletterForm({
  answer: ofPage,
  isWholePage = false,
}: {
  answer?: SubscribeAnswer | null;
  /** Whether the page is only about the form. The result then replaces the form. */
  isWholePage?: boolean;
}) {
  const post = usePost(lost);
  const { isBusy, answer: latest } = post;
  const { captcha, submit, isHeld } = useCheckedPost(post);
  const form = useRef<HTMLFormElement>(null);
  const messageId = useId();
  const answer = latest ?? ofPage ?? null;
  // The field itself keeps text that was typed on this page.
  const typed = latest?.ok || !ofPage || ofPage.ok ? '' : ofPage.email;
  const { message, show } = useMessage(answer);

  useEffect(() => {
    if (!latest) return;
    show(latest);
    if (latest.ok) form.current?.reset();
  }, [latest, show]);

  if (isWholePage && (answer?.ok || answer?.isResend))
    return <Subscribed {...answer} isNew={latest !== null} />;

  function validate(event: SubmitEvent<HTMLFormElement>): void {
    const email = event.currentTarget.elements.namedItem('email');
    if (email instanceof HTMLInputElement && !email.validity.valid) {
      event.preventDefault();
      show({ ok: false, message: newsletterMessages.invalidEmail });
      email.focus();
    } else submit(event);
  }

  return (
    <form
      ref={form}
      method="post"
      action="/newsletter"
      className={`${forms.stack} ${isWholePage ? '' : styles.form}`}
      noValidate
      onSubmit={validate}
    >
      <EmailField defaultValue={typed} aria-describedby={messageId} />
      <CaptchaField captcha={captcha} question={answer?.question ?? null} />
      <Button type="submit" variant="primary" isWide isHeld={isHeld} isBusy={isBusy}>
        {isBusy ? 'Subscribing…' : 'Subscribe'}
      </Button>
      <p id={messageId} className={styles.message} role="status" data-ok={message?.ok}>
        {message?.message}
      </p>
    </form>
  );
}

/** Renders the result on the form's own page, and moves the focus to it. */
function Subscribed({ message, email, question, isNew }: SubscribeAnswer & { isNew: boolean }) {
  const isReactivated = message === newsletterMessages.reactivated;
  return (
    <DonePanel
      isNew={isNew}
      {...(isReactivated && { icon: 'check', title: 'Subscribed' })}
      address={email}
      actions={
        <>
          {isReactivated ? null : <ResendForm email={email} question={question} />}
          <ButtonLink to="/newsletter">Use another address</ButtonLink>
        </>
      }
    >
      {message}
    </DonePanel>
  );
}

/** Requests another email to the address. */
function ResendForm({ email, question }: Pick<SubscribeAnswer, 'email' | 'question'>) {
  const post = usePost({ ...lost, message: newsletterMessages.resendFailed });
  const { isBusy, answer } = post;
  const { captcha, submit, isHeld } = useCheckedPost(post);

  return (
    <form method="post" action="/newsletter" className={forms.stack} onSubmit={submit}>
      <FormNotice text={answer?.message} kind={answer?.ok ? 'success' : 'error'} />
      <input type="hidden" name="email" value={email} />
      <input type="hidden" name="resend" value="1" />
      <CaptchaField captcha={captcha} question={answer?.question ?? question} isQuiet />
      <Button
        type="submit"
        variant="secondary"
        isWide
        isHeld={isHeld}
        isBusy={isBusy}
        title={isHeld ? captchaMessages.missing : undefined}
      >
        {isBusy ? 'Please wait...' : 'Resend'}
      </Button>
    </form>
  );
}

type Message = Pick<SubscribeAnswer, 'ok' | 'message'>;

/** Returns a message that clears after five seconds, except on a page without JavaScript. */
function useMessage(first: Message | null) {
  const [message, show] = useState<Message | null>(first);
  useEffect(() => {
    if (!message) return undefined;
    const timer = setTimeout(() => show(null), messageClearsAfterMs);
    return () => clearTimeout(timer);
  }, [message]);
  return { message, show };
}
