import type { CaptchaQuestion } from '#app/platform/captcha/ask-question.server.ts';

/** What the form hears of its attempt. */
export interface SubscribeAnswer {
  ok: boolean;
  message: string;
  /** As typed, so that nobody types it twice. */
  email: string;
  question: CaptchaQuestion | null;
}
