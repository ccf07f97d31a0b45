import type { ReactNode } from 'react';
import { type Post, usePost } from '#app/islands/use-post.ts';
import { CaptchaField } from '#app/platform/captcha/captcha-field.tsx';
import { captchaMessages } from '#app/platform/captcha/captcha-messages.ts';
import { useCheckedPost } from '#app/islands/use-checked-post.ts';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { accountMessages } from './account-messages.ts';
import type { FormAnswer } from './form-answer.ts';

export type AccountPost = Post<FormAnswer>;

/**
 * Posts an account form. `values` are the form's values in a response that was rendered with the
 * page.
 */
export function useAccountPost(values?: FormAnswer['values']): AccountPost {
  return usePost<FormAnswer>({ ok: false, message: accountMessages.failed, values });
}

/**
 * A form with the captcha. Without JavaScript it posts as a plain form, and `answer` is rendered
 * with the page.
 */
export function AccountForm({
  post,
  action,
  answer,
  submitLabel,
  isQuiet = false,
  children,
}: {
  post: AccountPost;
  action: string;
  answer: FormAnswer | undefined;
  submitLabel: string;
  /** Whether the form is only a button next to other content. */
  isQuiet?: boolean;
  children: ReactNode;
}) {
  const { captcha, submit, isHeld } = useCheckedPost(post);

  return (
    <form method="post" action={action} className={forms.stack} onSubmit={submit}>
      <FormNotice text={answer?.message} kind={answer?.ok ? 'success' : 'error'} />
      {children}
      <CaptchaField captcha={captcha} question={answer?.question ?? null} isQuiet={isQuiet} />
      <Button
        type="submit"
        variant={isQuiet ? 'secondary' : 'primary'}
        isWide
        isBusy={post.isBusy}
        isHeld={isHeld}
        title={isHeld ? captchaMessages.missing : undefined}
      >
        {post.isBusy ? accountMessages.busy : submitLabel}
      </Button>
    </form>
  );
}
