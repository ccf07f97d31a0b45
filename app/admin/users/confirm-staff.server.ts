import type { RouterContextProvider } from 'react-router';
import {
  confirmIdentity,
  describeIdentityRefusal,
} from '#app/features/accounts/confirm-identity.server.ts';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { refuseForm } from '../frame/refuse-form.server.ts';

/** Null when the form shows that it is them who sends it; else the form again, without what it showed (R50). */
export async function confirmStaff(
  context: Readonly<RouterContextProvider>,
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
