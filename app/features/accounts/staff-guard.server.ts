import { data, type MiddlewareFunction } from 'react-router';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import type { AccessRefusal } from './access-refusal.ts';
import { currentUser, type SessionUser } from './sessions/session-context.server.ts';

/**
 * Lets staff pass only, and where the owner asks for it those alone with a second step. As middleware of a layout it
 * stands before every loader and action below it, also when one of them is asked for alone; a layout's loader would not.
 */
export const staffGuard: MiddlewareFunction<Response> = async ({ context }, next) => {
  const user = currentUser(context);
  if (!user) refuse('nobody', 401);
  if (!user.rights.has('admin.open')) refuse('role', 403);
  if (!hasSecondStep(user)) {
    const { staffSecondFactor } = await readSiteSettings(appServices(context).db);
    if (staffSecondFactor) refuse('factor', 403);
  }
  return next();
};

/** Where a code is set up, no session opens without one; a passkey counts for the session it opened. */
export function hasSecondStep({
  hasTwoFactor,
  byPasskey,
}: Pick<SessionUser, 'hasTwoFactor' | 'byPasskey'>): boolean {
  return hasTwoFactor || byPasskey;
}

function refuse(refused: Exclude<AccessRefusal['refused'], 'haste'>, status: number): never {
  const refusal: AccessRefusal = { refused };
  throw data(refusal, { status });
}
