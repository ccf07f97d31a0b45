import type { CaptchaQuestion } from '#app/platform/captcha/ask-question.server.ts';
import type { ContactField } from './contact-limits.ts';

/** The result of the submitted contact form. */
export type ContactAnswer = { ok: true } | ContactRefusal;

export interface ContactRefusal {
  ok: false;
  message: string;
  errors: Partial<Record<ContactField, string>>;
  /** The submitted values, returned so that the sender need not retype them. */
  values: Partial<Record<ContactField, string>>;
  question: CaptchaQuestion | null;
}
