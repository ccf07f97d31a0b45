import type { Insertable } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { CaptchaQuestion } from '#app/platform/captcha/ask-question.server.ts';
import { verifyCaptcha } from '#app/platform/captcha/verify-captcha.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';
import type { Database } from '#database/schema.ts';
import { findWatcherByAddress, insertWatchRequest } from './watcher-queries.server.ts';

export type AskedByMail =
  | { ok: true }
  | { ok: false; status: 422; message: string; question?: CaptchaQuestion | undefined }
  | { ok: false; status: 429; message: string; retryAfterSeconds: number };

/**
 * Stores what an address without an account wants to watch. The watch starts when the email of the
 * kind `confirmBy` is confirmed. The response is the same for any address.
 */
export async function askByMail(
  services: AppServices,
  { form, address }: { form: FormData; address: string },
  wish: Insertable<Database['watch_requests']>,
  confirmBy: 'price-alert-confirm' | 'search-confirm',
): Promise<AskedByMail> {
  const within = await limit(services, 'watch-address', address);
  if (!within.ok) return { ...within, status: 429, message: tooManyAttempts };
  const captcha = await verifyCaptcha(services, form, address);
  if (!captcha.ok) return { ...captcha, status: 422 };

  // Past the limit no email is sent, and the response stays the same (security.md, limits).
  const mayMail = await mayAsk(services, wish.email);
  await services.db.transaction().execute(async (tx) => {
    const requestId = await insertWatchRequest(tx, wish);
    if (!mayMail) return;
    await queueMail(tx, {
      key: `${confirmBy}:${requestId}`,
      kind: confirmBy,
      to: wish.email,
      props: { requestId },
    });
  });
  return { ok: true };
}

/**
 * Checks the limits: an address that confirmed before gets three emails an hour, others one a day,
 * and the site has a limit.
 */
async function mayAsk(services: AppServices, email: string): Promise<boolean> {
  const isKnown = (await findWatcherByAddress(services.db, email)) !== null;
  if (isKnown) return (await limit(services, 'watch-recipient', email)).ok;
  if (!(await limit(services, 'watch-stranger', email)).ok) return false;
  return (await limit(services, 'watch-site', '')).ok;
}
