import {
  confirmIdentity,
  describeIdentityRefusal,
} from '#app/features/accounts/confirm-identity.server.ts';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { refuseForm } from './form-outcome.ts';
import type { Context } from './read-or-fail.server.ts';

/**
 * Returns `null` after a valid identity check, and otherwise the form again without its secrets.
 */
export async function confirmStaff(
  context: Context,
  viewer: SessionUser,
  { password = '', credential = '', ...values }: Record<string, string>,
) {
  const proof = { typed: password, credential };
  const confirmed = await confirmIdentity(appServices(context), viewer, proof);
  if (confirmed.ok) return null;
  const words = describeIdentityRefusal(confirmed.reason);
  return confirmed.reason === 'too-many'
    ? refuseForm({ values, message: words }, 429)
    : refuseForm({ values, errors: { password: words } });
}
