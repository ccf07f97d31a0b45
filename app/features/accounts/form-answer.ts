import type { CaptchaQuestion } from '#app/platform/captcha/ask-question.server.ts';

/** What an account's action answers: to the whole page without scripts, to the open form with them. */
export interface FormAnswer {
  ok: boolean;
  /** For the whole form. */
  message?: string;
  /** By field name. */
  errors?: Record<string, string>;
  /** What was typed; never a password. */
  values?: Record<string, string>;
  /** The human check as a question, for browsers without scripts. */
  question?: CaptchaQuestion;
}
