import type { MiddlewareFunction } from 'react-router';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { refuseAccess } from './access-refusal.ts';
import { currentUser, type SessionUser } from './sessions/session-context.server.ts';

/**
 * Lets only staff pass, and only with two-factor if the owner requires it. Unlike a layout's
 * loader, its middleware runs before every loader and action below it, even when one is requested
 * alone.
 */
export const staffGuard: MiddlewareFunction<Response> = async ({ context }, next) => {
  const user = currentUser(context);
  if (!user) refuseAccess({ refused: 'nobody' });
  if (!user.rights.has('admin.open')) refuseAccess({ refused: 'role' });
  if (!hasSecondStep(user)) {
    const { staffSecondFactor } = await readSiteSettings(appServices(context).db);
    if (staffSecondFactor) refuseAccess({ refused: 'factor' });
  }
  return next();
};

/** With a code set up, no session opens without it; a passkey counts for the session it opened. */
export function hasSecondStep(user: Pick<SessionUser, 'hasTwoFactor' | 'byPasskey'>): boolean {
  return user.hasTwoFactor || user.byPasskey;
}
