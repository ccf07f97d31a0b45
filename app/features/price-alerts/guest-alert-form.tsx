import { type SubmitEvent, useRef, useState } from 'react';
import { usePost } from '#app/islands/use-post.ts';
import type { CaptchaQuestion } from '#app/platform/captcha/ask-question.server.ts';
import { CaptchaField } from '#app/platform/captcha/captcha-field.tsx';
import { useCheckedPost } from '#app/islands/use-checked-post.ts';
import { Button } from '#app/ui/button.tsx';
import { DonePanel } from '#app/ui/done-panel.tsx';
import forms from '#app/ui/form.module.css';
import { EmailField } from '#app/ui/email-field.tsx';
import { readAlertInput } from './alert-input.ts';
import type { AlertRule } from './alert-kind.ts';
import { alertMessages } from './alert-messages.ts';
import { type AlertDeal, AlertDealSummary } from './alert-deal-summary.tsx';
import { AlertFormEnd } from './alert-form.tsx';
import { AlertFormFields } from './alert-form-fields.tsx';
import styles from './alert-form.module.css';

/** The response to a visitor without an account. */
export interface GuestAlertAnswer {
  ok: boolean;
  message: string;
  question?: CaptchaQuestion | null;
  /** The submitted address, returned so that the visitor does not have to retype it. */
  email?: string;
  rule?: AlertRule | undefined;
}

export interface GuestAlertFormProps {
  deal: AlertDeal;
  currency: string;
  /** The response to a form sent without JavaScript. */
  answer?: GuestAlertAnswer | null;
}

/**
 * Renders the form for a guest: the fields of an account's form, and an address, which must be
 * confirmed by email.
 */
export function GuestAlertForm({ deal, currency, answer: ofPage }: GuestAlertFormProps) {
  const post = usePost<GuestAlertAnswer>({ ok: false, message: alertMessages.createFailed });
  const { isBusy, answer: latest } = post;
  const { captcha, submit, isHeld } = useCheckedPost(post);
  const email = useRef<HTMLInputElement>(null);
  const [faults, setFaults] = useState<{ rule?: string; email?: string }>({});
  const answer = latest ?? ofPage ?? null;

  function validate(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const asked = readAlertInput(new FormData(event.currentTarget), deal.sale_price, currency);
    const isAddress = email.current?.validity.valid === true;
    setFaults({
      ...(!asked.ok && { rule: asked.message }),
      ...(!isAddress && { email: alertMessages.badAddress }),
    });
    if (asked.ok && !isAddress) email.current?.focus();
    if (asked.ok && isAddress) submit(event);
  }

  const address = `/price-alerts/new?deal=${deal.id}`;
  if (answer?.ok) {
    return (
      <DonePanel address={answer.email} isNew={latest !== null}>
        {answer.message}
      </DonePanel>
    );
  }
  return (
    <form
      method="post"
      action={address}
      className={forms.stack}
      // `noValidate` is set, since the form shows its own messages, from the server if there is no
      // JavaScript.
      noValidate
      onSubmit={validate}
    >
      <input type="hidden" name="deal_id" value={deal.id} />
      <AlertDealSummary deal={deal} currency={currency} />
      <AlertFormFields
        salePrice={deal.sale_price}
        currency={currency}
        rules={ofPage?.rule ? [ofPage.rule] : []}
        fault={faults.rule}
      />
      <EmailField ref={email} defaultValue={ofPage?.email} error={faults.email} />
      <CaptchaField captcha={captcha} question={answer?.question ?? null} />
      <AlertFormEnd problem={answer?.message}>
        We first email you a link to confirm your address. Every email has a link to change or stop
        your alerts.
      </AlertFormEnd>
      <div className={forms.actions}>
        <Button type="submit" variant="primary" isHeld={isHeld} isBusy={isBusy}>
          Create Alert
        </Button>
        <a className={styles.signIn} href={`/sign-in?returnTo=${encodeURIComponent(address)}`}>
          Sign in instead
        </a>
      </div>
    </form>
  );
}
