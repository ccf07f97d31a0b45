import type { CaptchaQuestion } from '#app/platform/captcha/ask-question.server.ts';
import type { ContactField } from './contact-limits.ts';

/** The result of the form's submission. */
export type ContactAnswer = { ok: true } | ContactRefusal;

export interface ContactRefusal {
  ok: false;
  message: string;
  errors: Partial<Record<ContactField, string>>;
  /** Echoed back, so that the input need not be retyped. */
  values: Partial<Record<ContactField, string>>;
  question: CaptchaQuestion | null;
}
