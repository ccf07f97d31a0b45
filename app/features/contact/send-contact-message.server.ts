import type { AppServices } from '#app/platform/app-context.server.ts';
import type { CaptchaQuestion } from '#app/platform/captcha/ask-question.server.ts';
import { verifyCaptcha } from '#app/platform/captcha/verify-captcha.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { allowance, limit } from '#app/platform/rate-limit.server.ts';
import { readText } from '#app/platform/read-text.ts';
import { readForm, type FieldErrors } from '#app/features/accounts/account-input.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { contactInput } from './contact-input.ts';
import { trapField } from './contact-limits.ts';
import { insertContactMessage } from './contact-queries.server.ts';

export type ContactResult =
  | { ok: true }
  | { ok: false; reason: 'invalid'; errors: FieldErrors }
  | { ok: false; reason: 'captcha'; message: string; question?: CaptchaQuestion }
  | { ok: false; reason: 'too-often'; retryAfterSeconds: number };

/**
 * Stores a visitor's message and queues two emails in the same transaction: one to the site, and a
 * confirmation. The confirmation repeats nothing the sender wrote, so that the form cannot be used
 * to email others.
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
  // A bot gets the same response as a person, and nothing is stored.
  if (readText(form, trapField) !== '') return { ok: true };

  const { contactEmail } = await readSiteSettings(services.db);
  const bySite = await limit(services, 'contact-site', '');
  if (!bySite.ok) {
    await warnOfFlood(services, contactEmail);
    return { ...bySite, reason: 'too-often' };
  }
  // Past this limit the message is still stored, but no confirmation is sent.
  const mayConfirm = (await limit(services, 'contact-recipient', read.value.email)).ok;
  await services.db.transaction().execute(async (tx) => {
    const messageId = await insertContactMessage(tx, read.value);
    const queue = (kind: string, to: string) =>
      queueMail(tx, { key: `${kind}:${messageId}`, kind, to, props: { messageId } });
    // Without a contact address, the message only waits in the inbox.
    if (contactEmail) await queue('contact', contactEmail);
    if (mayConfirm) await queue('contact-confirmation', read.value.email);
  });
  return { ok: true };
}

/** Warns the owner at most once a day, regardless of how many messages are rejected. */
async function warnOfFlood(services: AppServices, contactEmail: string): Promise<void> {
  const day = services.now().toISOString().slice(0, 10);
  const { points } = allowance(services, 'contact-site');
  services.log.warn({ event: 'contact-flood', limit: points }, 'contact messages are refused');
  if (!contactEmail) return;
  await queueMail(services.db, {
    key: `contact-flood:${day}`,
    kind: 'contact-flood',
    to: contactEmail,
    props: { limit: points },
  });
}
