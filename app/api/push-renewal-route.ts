import type { ActionFunctionArgs, LoaderFunctionArgs } from 'react-router';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { pushSubscriptionSchema } from '#app/features/price-alerts/push-subscription-input.server.ts';
import {
  renewOwnSubscription,
  renewSubscription,
} from '#app/features/price-alerts/push-subscription-queries.server.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { vapidKeys } from '#app/platform/push/vapid.server.ts';
import { limit, retryAfter } from '#app/platform/rate-limit.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';

const neverCached = { 'cache-control': 'private, no-store' };

/**
 * Handles the post of `public/sw.js` after the browser changed its push endpoint. Fields:
 * `endpoint`, `p256dh`, `auth`, and the old `old_endpoint` and `old_auth` if known. Returns 404 if
 * this browser gets no notifications.
 */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const services = appServices(context);
  const { db } = services;
  const limited = await limit(services, 'push-renewal', requestFacts(context).address);
  if (!limited.ok) return answer(429, retryAfter(limited));
  const form = await readFormBody(request);
  const read = pushSubscriptionSchema.safeParse(Object.fromEntries(form));
  if (!read.success) return answer(422);
  const old = { endpoint: readText(form, 'old_endpoint'), auth: readText(form, 'old_auth') };
  if (old.endpoint) return answer((await renewSubscription(db, old, read.data)) ? 200 : 404);
  const user = currentUser(context);
  if (!user) return answer(401);
  const userAgent = request.headers.get('user-agent') ?? '';
  return answer((await renewOwnSubscription(db, user.id, read.data, userAgent)) ? 200 : 404);
}

/** Returns the subscription key, for a browser that lost it. */
export async function loader({ context }: LoaderFunctionArgs): Promise<Response> {
  const { publicKey } = await vapidKeys(appServices(context).db);
  return Response.json({ publicKey }, { headers: neverCached });
}

function answer(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers: { ...headers, ...neverCached } });
}
