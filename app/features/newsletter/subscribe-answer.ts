import type { CaptchaQuestion } from '#app/platform/captcha/ask-question.server.ts';

/** The result of the submitted newsletter form. */
export interface SubscribeAnswer {
  ok: boolean;
  message: string;
  /** The submitted address, returned so that the visitor does not have to retype it. */
  email: string;
  /** Whether the form asked for another email to the address. */
  isResend?: boolean;
  question: CaptchaQuestion | null;
}
