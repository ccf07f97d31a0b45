import { data, redirect } from 'react-router';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { pushMessages } from '#app/features/price-alerts/push-messages.ts';
import { pushSubscriptionSchema } from '#app/features/price-alerts/push-subscription-input.server.ts';
import {
  forgetSubscription,
  saveSubscription,
} from '#app/features/price-alerts/push-subscription-queries.server.ts';
import type { Post } from '#app/platform/read-post.server.ts';

export const browserIntents = ['notify-browser', 'forget-browser', 'stop-browser'];

/**
 * Handles the forms that turn a browser's notifications on or off. The browser itself posts
 * `notify-browser` and `forget-browser` with its `endpoint`. The list posts `stop-browser` with an
 * `id`, as a plain form.
 */
export async function changeBrowser(
  { db, form, text, rowId, intent }: Post,
  { id: userId, emailVerified }: SessionUser,
  request: Request,
) {
  if (intent === 'notify-browser') {
    // The browser may be a stranger's until the email is verified. The database enforces this as
    // well.
    if (!emailVerified) return data({ error: pushMessages.unproved }, { status: 403 });
    const read = pushSubscriptionSchema.safeParse(Object.fromEntries(form));
    if (!read.success) return data({ error: pushMessages.failed }, { status: 422 });
    const userAgent = request.headers.get('user-agent') ?? '';
    await saveSubscription(db, userId, read.data, userAgent);
    return data({ error: null });
  }
  if (intent === 'forget-browser') {
    await forgetSubscription(db, userId, { endpoint: text('endpoint') });
    return data({ error: null }); // Deleting a browser twice is not an error.
  }
  if (!(await forgetSubscription(db, userId, { id: rowId('id') ?? 0 }))) {
    return data({ error: pushMessages.notYours }, { status: 404 });
  }
  throw redirect('/price-alerts', 303);
}
