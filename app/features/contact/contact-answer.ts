import type { CaptchaQuestion } from '#app/platform/captcha/ask-question.server.ts';
import type { ContactField } from './contact-limits.ts';

/** What the form hears of its attempt. */
export type ContactAnswer = { ok: true } | ContactRefusal;

export interface ContactRefusal {
  ok: false;
  message: string;
  errors: Partial<Record<ContactField, string>>;
  /** As typed, so that nobody types it twice. */
  values: Partial<Record<ContactField, string>>;
  question: CaptchaQuestion | null;
}
