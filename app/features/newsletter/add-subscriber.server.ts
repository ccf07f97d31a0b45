import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { readMailAddress } from '#app/platform/mail/mail-address.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import {
  findSubscription,
  insertSubscription,
  lockSubscription,
  renewSubscription,
  type Subscription,
} from './newsletter-queries.server.ts';
import { queueFirstMail } from './subscribe-to-newsletter.server.ts';

export type AddSubscriberResult =
  | { ok: true }
  | { ok: false; reason: 'invalid-email' | 'subscribed' | 'unsubscribed' | 'too-often' };

/**
 * Adds a subscriber for staff. The subscription is inactive until the person follows the emailed
 * link, even without double opt-in. An address that unsubscribed remains unsubscribed.
 */
export async function addSubscriber(
  services: AppServices,
  { email: typed, actor }: { email: string; actor: string },
): Promise<AddSubscriberResult> {
  const email = readMailAddress(typed);
  if (email === null) return { ok: false, reason: 'invalid-email' };
  const refusal = refusalOf(await findSubscription(services.db, email));
  if (refusal) return refusal;
  const within = await limit(services, 'subscribe-recipient', email);
  if (!within.ok) return { ok: false, reason: 'too-often' };
  return services.db.transaction().execute(async (tx): Promise<AddSubscriberResult> => {
    // The person may have unsubscribed or confirmed since the check above.
    const known = await lockSubscription(tx, email);
    const late = refusalOf(known);
    if (late) return late;
    const added = known
      ? await renewSubscription(tx, known.id, false)
      : await insertSubscription(tx, email, false);
    if (!added) return { ok: false, reason: 'subscribed' };
    await queueFirstMail(tx, added, 'confirm');
    await writeAudit(tx, {
      actor,
      action: 'subscription.add',
      entity: 'subscription',
      entityId: added.id,
      before: null,
      after: { is_active: false },
    });
    return { ok: true };
  });
}

function refusalOf(known: Subscription | null): AddSubscriberResult | null {
  if (known?.is_active) return { ok: false, reason: 'subscribed' };
  return known?.unsubscribed_at ? { ok: false, reason: 'unsubscribed' } : null;
}
