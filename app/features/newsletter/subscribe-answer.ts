import type { CaptchaQuestion } from '#app/platform/captcha/ask-question.server.ts';

/** The result of the form's submission. */
export interface SubscribeAnswer {
  ok: boolean;
  message: string;
  /** Echoed back, so that the address need not be retyped. */
  email: string;
  question: CaptchaQuestion | null;
}
