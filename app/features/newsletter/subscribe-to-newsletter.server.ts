import { randomUUID } from 'node:crypto';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { CaptchaQuestion } from '#app/platform/captcha/ask-question.server.ts';
import { verifyCaptcha } from '#app/platform/captcha/verify-captcha.server.ts';
import { readMailAddress } from '#app/platform/mail/mail-address.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import type { Db } from '#database/connect.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import {
  findSubscription,
  insertSubscription,
  lockSubscription,
  renewSubscription,
  type Subscription,
} from './newsletter-queries.server.ts';

export type SubscribeResult =
  | { ok: true; isReactivated: boolean }
  | { ok: false; reason: 'invalid-email' | 'already-subscribed' }
  | { ok: false; reason: 'captcha'; message: string; question?: CaptchaQuestion }
  | { ok: false; reason: 'too-often'; retryAfterSeconds: number };

type Refusal = Extract<SubscribeResult, { ok: false }>;

/**
 * Subscribes an address. Only a person who passed the captcha, within the limits, learns whether
 * the address is already subscribed. With double opt-in, the subscription is inactive until the
 * emailed link is followed.
 */
export async function subscribeToNewsletter(
  services: AppServices,
  form: FormData,
  address: string,
): Promise<SubscribeResult> {
  const asked = await readAsked(services, form, address);
  if (!asked.ok) return asked;
  const { email } = asked;
  const existing = await findSubscription(services.db, email);
  if (existing?.is_active) return { ok: false, reason: 'already-subscribed' };
  // Beyond the limit, no email is sent, but the response is the same (security.md, limits).
  const mayMail = (await limit(services, 'subscribe-recipient', email)).ok;
  return begin(services, email, mayMail);
}

/**
 * Sends the first email of a subscription again, with the same links. The result is the same
 * whether or not the address is subscribed.
 */
export async function resendFirstMail(
  services: AppServices,
  form: FormData,
  address: string,
): Promise<{ ok: true } | Refusal> {
  const asked = await readAsked(services, form, address);
  if (!asked.ok) return asked;
  const mayMail = (await limit(services, 'subscribe-resend', asked.email)).ok;
  const existing = await findSubscription(services.db, asked.email);
  if (mayMail && existing && existing.unsubscribed_at === null) {
    const kind = existing.is_active ? 'welcome' : 'confirm';
    await queueFirstMail(services.db, existing, kind, `:${randomUUID()}`);
  }
  return { ok: true };
}

/** Returns the address if a person sent the form, within the limits. */
async function readAsked(
  services: AppServices,
  form: FormData,
  address: string,
): Promise<{ ok: true; email: string } | Refusal> {
  const email = readMailAddress(form.get('email'));
  if (email === null) return { ok: false, reason: 'invalid-email' };
  const within = await limit(services, 'subscribe-address', address);
  if (!within.ok) return { ...within, reason: 'too-often' };
  const captcha = await verifyCaptcha(services, form, address);
  return captcha.ok ? { ok: true, email } : { ...captcha, reason: 'captcha' };
}

async function begin(
  { db }: AppServices,
  email: string,
  mayMail: boolean,
): Promise<SubscribeResult> {
  const { doubleOptIn } = await readSiteSettings(db);
  return db.transaction().execute(async (tx): Promise<SubscribeResult> => {
    // The person may have unsubscribed or confirmed since the check above.
    const existing = await lockSubscription(tx, email);
    const isWaiting = existing !== null && existing.unsubscribed_at === null;
    // The first email may be on its way. A second request that sends no email must not invalidate
    // its link.
    if (isWaiting && doubleOptIn && !mayMail) return { ok: true, isReactivated: false };

    const subscription = existing
      ? await renewSubscription(tx, existing.id, !doubleOptIn)
      : await insertSubscription(tx, email, !doubleOptIn);
    if (!subscription) return { ok: false, reason: 'already-subscribed' };
    // A parallel request that stored nothing may already have used up the limit.
    const isMailed = mayMail || existing === null;
    if (isMailed) await queueFirstMail(tx, subscription, doubleOptIn ? 'confirm' : 'welcome');
    return { ok: true, isReactivated: existing !== null && !isWaiting && !doubleOptIn };
  });
}

/**
 * Queues one email per sign-up, since the nonce is new each time. `suffix` makes the key of another
 * email unique.
 */
export function queueFirstMail(
  tx: Db,
  subscription: Subscription,
  kind: 'confirm' | 'welcome',
  suffix = '',
) {
  const { id, email, token_nonce: nonce } = subscription;
  return queueMail(tx, {
    key: `newsletter-${kind}:${id}:${nonce}${suffix}`,
    kind: `newsletter-${kind}`,
    to: email,
    props: { subscriptionId: id, nonce },
  });
}
