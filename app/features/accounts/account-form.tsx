import { type ReactNode, useEffect } from 'react';
import { type FetcherWithComponents, useFetcher } from 'react-router';
import { CaptchaField } from '#app/platform/captcha/captcha-field.tsx';
import { captchaMessages } from '#app/platform/captcha/captcha-messages.ts';
import { useCaptcha } from '#app/platform/captcha/use-captcha.ts';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { accountMessages } from './account-messages.ts';
import type { FormAnswer } from './form-answer.ts';

export function useAccountForm(): FetcherWithComponents<FormAnswer> {
  return useFetcher<FormAnswer>();
}

/** A form with the human check. Without scripts it posts as a plain form, and `answer` comes with the page. */
export function AccountForm({
  fetcher,
  action,
  answer,
  submitLabel,
  children,
}: {
  fetcher: FetcherWithComponents<FormAnswer>;
  action: string;
  answer: FormAnswer | undefined;
  submitLabel: string;
  children: ReactNode;
}) {
  const captcha = useCaptcha();
  const { reset } = captcha;
  const isBusy = fetcher.state !== 'idle';

  // A token is good for one attempt, whatever the outcome.
  useEffect(() => {
    if (answer) reset();
  }, [answer, reset]);

  return (
    <fetcher.Form method="post" action={action} className={forms.stack}>
      <FormNotice text={answer?.message} kind={answer?.ok ? 'success' : 'error'} />
      {children}
      <CaptchaField captcha={captcha} question={answer?.question ?? null} />
      <Button
        type="submit"
        look="primary"
        isWide
        isBusy={isBusy}
        disabled={captcha.isBlocking}
        title={captcha.isBlocking ? captchaMessages.missing : undefined}
      >
        {isBusy ? accountMessages.busy : submitLabel}
      </Button>
    </fetcher.Form>
  );
}
