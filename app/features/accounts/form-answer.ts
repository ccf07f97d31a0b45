import type { CaptchaQuestion } from '#app/platform/captcha/captcha-question.ts';

/** What an action of the account answers: to the page without script, to the open form with it. */
export interface FormAnswer {
  ok: boolean;
  /** For the whole form. */
  message?: string;
  /** By the names of the fields. */
  errors?: Record<string, string>;
  /** What was typed, to be kept; never a password. */
  values?: Record<string, string>;
  /** For browsers without scripts: the human check in words. */
  question?: CaptchaQuestion;
}
