import type { Insertable } from 'kysely';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import type { AlertRule } from '#app/features/price-alerts/alert-kind.ts';
import { findWatcherByAddress } from '#app/features/price-alerts/watcher-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { CaptchaQuestion } from '#app/platform/captcha/ask-question.server.ts';
import { verifyCaptcha } from '#app/platform/captcha/verify-captcha.server.ts';
import { readMailAddress } from '#app/platform/mail/mail-address.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';
import type { Database } from '#database/schema.ts';
import type { Cadence } from './watch-cadence.ts';
import { requestAddress, type Watchable } from './watchable.ts';
import { insertWatchRequest } from './watch-requests.server.ts';

/** The requested alert for a deal, or the list, search or product to watch. */
export type Wish = { dealId: number; rule: AlertRule } | { watchable: Watchable; cadence: Cadence };

type AskOutcome =
  | { ok: true }
  | { ok: false; status: 422; message: string; question?: CaptchaQuestion | undefined }
  | { ok: false; status: 429; message: string; retryAfterSeconds: number };

/**
 * Stores the watch request of a visitor without an account. The watch starts once the visitor
 * confirms it by email. The response is the same for any address.
 */
export async function askToWatch(
  services: AppServices,
  { form, address }: { form: FormData; address: string },
  wish: Wish,
): Promise<AskOutcome> {
  const email = readMailAddress(form.get('email'));
  if (email === null) return { ok: false, status: 422, message: alertMessages.badAddress };
  const within = await limit(services, 'watch-address', address);
  if (!within.ok) return { ...within, status: 429, message: tooManyAttempts };
  const captcha = await verifyCaptcha(services, form, address);
  if (!captcha.ok) return { ...captcha, status: 422 };

  // Beyond the limit no email is sent, but the response stays the same (security.md, limits).
  const mayMail = await mayAsk(services, email);
  await services.db.transaction().execute(async (tx) => {
    const requestId = await insertWatchRequest(tx, { email, ...columnsOf(wish) });
    if (!mayMail) return;
    const kind = 'rule' in wish ? 'price-alert-confirm' : 'search-confirm';
    await queueMail(tx, { key: `${kind}:${requestId}`, kind, to: email, props: { requestId } });
  });
  return { ok: true };
}

function columnsOf(wish: Wish): Omit<Insertable<Database['watch_requests']>, 'email'> {
  if ('rule' in wish) return { deal_id: wish.dealId, ...wish.rule };
  const { watchable, cadence } = wish;
  return { search_address: requestAddress(watchable), search_name: watchable.name, cadence };
}

/**
 * Checks the limits: three emails an hour for an address that confirmed before, one a day for
 * others, and a limit for the site.
 */
async function mayAsk(services: AppServices, email: string): Promise<boolean> {
  const isKnown = (await findWatcherByAddress(services.db, email)) !== null;
  if (isKnown) return (await limit(services, 'watch-recipient', email)).ok;
  if (!(await limit(services, 'watch-stranger', email)).ok) return false;
  return (await limit(services, 'watch-site', '')).ok;
}
