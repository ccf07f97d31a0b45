import type { AppServices } from '#app/platform/app-context.server.ts';
import type { CaptchaQuestion } from '#app/platform/captcha/ask-question.server.ts';
import { verifyCaptcha } from '#app/platform/captcha/verify-captcha.server.ts';
import { readMailAddress } from '#app/platform/mail/mail-address.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';
import type { AlertRule } from './alert-kind.ts';
import { alertMessages } from './alert-messages.ts';
import { readRule } from './create-alert.server.ts';
import { insertWatchRequest } from './watcher-queries.server.ts';

export type AskOutcome =
  | { ok: true }
  | {
      ok: false;
      status: 404 | 409 | 422;
      message: string;
      question?: CaptchaQuestion | undefined;
      /** Where that was not what is wrong. */
      rule?: AlertRule;
    }
  | { ok: false; status: 429; message: string; retryAfterSeconds: number };

/**
 * Somebody without an account enters an address and what to wait for. Nothing comes of it before the mail to that address is
 * answered, and the answer is the same whoever's address it is (R13, R26).
 */
export async function askForAlert(
  services: AppServices,
  {
    form,
    dealId,
    currency,
    address,
  }: { form: FormData; dealId: number; currency: string; address: string },
): Promise<AskOutcome> {
  const { db } = services;
  const email = readMailAddress(form.get('email'));
  if (email === null) return { ok: false, status: 422, message: alertMessages.badAddress };
  const read = await readRule(db, dealId, form, currency);
  if (!read.ok) return read;
  const within = await limit(services, 'watch-address', address);
  if (!within.ok) return { ...within, status: 429, message: tooManyAttempts };
  const captcha = await verifyCaptcha(services, form, address);
  if (!captcha.ok) return { ...captcha, status: 422, rule: read.rule };

  // The answer is the same past the cap; only the mail is missing (security.md, limits).
  const mayMail = (await limit(services, 'watch-recipient', email)).ok;
  await db.transaction().execute(async (tx) => {
    const requestId = await insertWatchRequest(tx, { email, deal_id: dealId, ...read.rule });
    if (!mayMail) return;
    await queueMail(tx, {
      key: `price-alert-confirm:${requestId}`,
      kind: 'price-alert-confirm',
      to: email,
      props: { requestId },
    });
  });
  return { ok: true };
}
