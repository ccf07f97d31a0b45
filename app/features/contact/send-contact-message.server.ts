import type { AppServices } from '#app/platform/app-context.server.ts';
import type { CaptchaQuestion } from '#app/platform/captcha/captcha-question.ts';
import { verifyCaptcha } from '#app/platform/captcha/verify-captcha.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { allowance, limit } from '#app/platform/rate-limit.server.ts';
import { readText } from '#app/platform/read-text.ts';
import { readForm, type FieldErrors } from '#app/features/accounts/account-input.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { Tx } from '#database/connect.ts';
import { contactInput } from './contact-input.ts';
import { trapField } from './contact-limits.ts';
import { insertContactMessage } from './contact-queries.server.ts';

export type ContactResult =
  | { ok: true }
  | { ok: false; reason: 'invalid'; errors: FieldErrors }
  | { ok: false; reason: 'captcha'; message: string; question?: CaptchaQuestion }
  | { ok: false; reason: 'too-often'; retryAfterSeconds: number };

/**
 * Stores a message of a visitor and, in the same transaction, queues two mails: to the site's own address, and to the
 * sender a confirmation that holds nothing the sender wrote, so that nobody can mail others through this form
 * (P31, R26).
 */
export async function sendContactMessage(
  services: AppServices,
  form: FormData,
  address: string,
): Promise<ContactResult> {
  const read = readForm(contactInput, form);
  if (!read.ok) return { ok: false, reason: 'invalid', errors: read.errors };
  const captcha = await verifyCaptcha(services, form, address);
  if (!captcha.ok) return { ...captcha, reason: 'captcha' };
  const byAddress = await limit(services, 'contact-address', address);
  if (!byAddress.ok) return { ...byAddress, reason: 'too-often' };
  // A machine hears what a person hears, and nothing is kept.
  if (readText(form, trapField) !== '') return { ok: true };

  const { contactEmail } = await readSiteSettings(services.db);
  const bySite = await limit(services, 'contact-site', '');
  if (!bySite.ok) {
    await warnOfFlood(services, contactEmail);
    return { ...bySite, reason: 'too-often' };
  }
  // Past this cap the message still arrives; only the confirmation is missing.
  const mayConfirm = (await limit(services, 'contact-recipient', read.value.email)).ok;
  await services.db.transaction().execute(async (tx) => {
    const messageId = await insertContactMessage(tx, read.value);
    await queueContactMail(tx, 'contact', contactEmail, messageId);
    if (mayConfirm) await queueContactMail(tx, 'contact-confirmation', read.value.email, messageId);
  });
  return { ok: true };
}

async function queueContactMail(
  tx: Tx,
  kind: 'contact' | 'contact-confirmation',
  to: string,
  messageId: number,
): Promise<void> {
  await queueMail(tx, { key: `${kind}:${messageId}`, kind, to, props: { messageId } });
}

/** Once a day, however many messages are refused. */
async function warnOfFlood(services: AppServices, contactEmail: string): Promise<void> {
  const day = services.now().toISOString().slice(0, 10);
  const { points } = allowance(services, 'contact-site');
  services.log.warn({ event: 'contact-flood', limit: points }, 'contact messages are refused');
  await queueMail(services.db, {
    key: `contact-flood:${day}`,
    kind: 'contact-flood',
    to: contactEmail,
    props: { limit: points },
  });
}
