import type { CaptchaQuestion } from '#app/platform/captcha/ask-question.server.ts';

/**
 * The response of an account action. Without JavaScript the response is for the whole page, and
 * with JavaScript for the open form.
 */
export interface FormAnswer {
  ok: boolean;
  /** An error that concerns the whole form. */
  message?: string;
  /** Errors by field name. */
  errors?: Record<string, string>;
  /** The submitted values, without passwords. */
  values?: Record<string, string>;
  /** The captcha as a question, for browsers without JavaScript. */
  question?: CaptchaQuestion;
}
