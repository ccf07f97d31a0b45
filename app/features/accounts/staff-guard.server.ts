import type { MiddlewareFunction } from 'react-router';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { refuseAccess } from './access-refusal.ts';
import { currentUser, type SessionUser } from './sessions/session-context.server.ts';

/**
 * Admits staff only, and only with two-factor if the owner requires it. Unlike a layout's loader,
 * the middleware runs before every loader and action below it, even for a single route.
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

/**
 * Returns whether the session has a second factor. If a code is set up, no session opens without
 * the code. A passkey is a second factor for the session that it opened.
 */
export function hasSecondStep(user: Pick<SessionUser, 'hasTwoFactor' | 'byPasskey'>): boolean {
  return user.hasTwoFactor || user.byPasskey;
}
