import { type SubmitEvent, useEffect } from 'react';
import type { Post } from './use-post.ts';
import { type Captcha, useCaptcha } from '#app/platform/captcha/use-captcha.ts';

interface CheckedPost {
  captcha: Captcha;
  /** Sends a submitted form. If the form has a captcha, waits until it has passed. */
  submit: (event: SubmitEvent<HTMLFormElement>) => void;
  /** Whether the submit button is shown as disabled. */
  isHeld: boolean;
}

/** Combines the post of a form with its captcha, which signed-in visitors may not need. */
export function useCheckedPost(
  { send, answer }: Pick<Post<{ ok: boolean }>, 'send' | 'answer'>,
  needsCheck = true,
): CheckedPost {
  const captcha = useCaptcha();
  const { reset } = captcha;

  // A token is valid for one attempt, whatever the outcome.
  useEffect(() => {
    if (answer) reset(answer.ok ? 'done' : 'again');
  }, [answer, reset]);

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (needsCheck && captcha.holds(event.currentTarget)) return;
    void send(event.currentTarget);
  }

  return { captcha, submit, isHeld: needsCheck && captcha.isBlocking };
}
