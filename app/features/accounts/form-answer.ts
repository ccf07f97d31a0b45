import type { CaptchaQuestion } from '#app/platform/captcha/ask-question.server.ts';

/** An account action's response: to the whole page without JavaScript, to the open form with it. */
export interface FormAnswer {
  ok: boolean;
  /** An error of the whole form. */
  message?: string;
  /** Errors by field name. */
  errors?: Record<string, string>;
  /** The input, without passwords. */
  values?: Record<string, string>;
  /** The captcha as a question, for browsers without JavaScript. */
  question?: CaptchaQuestion;
}
