import { sql } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import { maskMailAddress } from '#app/platform/mail/mail-address.server.ts';
import { checkPassword, type PasswordCheck } from '../passwords/check-password.server.ts';
import { findDevice, issueDeviceCookie } from './device-mark.server.ts';
import { hashToken } from '../hash-token.server.ts';
import { openSession, type SessionPlace } from './open-session.server.ts';
import { isSuspended } from '../people/suspend-user.server.ts';
import { userById } from '../people/user-queries.server.ts';
import { askForSecondFactor } from '../two-factor/second-factor-step.server.ts';

export type SignInResult =
  | { ok: true; userId: string; cookies: string[]; needsCode: boolean }
  | Exclude<PasswordCheck, { ok: true }>
  | { ok: false; reason: 'suspended' };

type Services = Pick<AppServices, 'db' | 'env' | 'log'>;

/**
 * Signs in. `oldToken` is the browser's earlier session, which ends in case someone planted or knew
 * it.
 */
export async function signIn(
  services: Services,
  { email, password }: { email: string; password: string },
  place: SessionPlace,
  oldToken: string | null,
): Promise<SignInResult> {
  const { db, log } = services;
  const allowed = await limit(services, 'sign-in-address', place.address);
  if (!allowed.ok) return { ...allowed, reason: 'too-many' };
  const device = await findDevice(services, place.deviceToken, email);
  const checked = await checkPassword(services, email, password, device);
  if (!checked.ok) {
    const { reason } = checked;
    const who = maskMailAddress(email);
    log.warn({ event: 'sign-in-refused', reason, email: who }, 'sign-in refused');
    return checked;
  }
  const { userId } = checked;
  const user = await userById(db, userId).select('two_factor_enabled').executeTakeFirst();
  if (!user) return { ok: false, reason: 'wrong' };
  if (user.two_factor_enabled && !(await isSuspended(db, userId))) {
    return {
      ok: true,
      userId,
      needsCode: true,
      cookies: [await askForSecondFactor(services, userId)],
    };
  }
  const cookies = await enter(services, userId, place, oldToken);
  return cookies
    ? { ok: true, userId, needsCode: false, cookies }
    : { ok: false, reason: 'suspended' };
}

/**
 * Opens the session after all checks. Returns its cookie and this browser's trusted-device cookie,
 * or `null` if the account is suspended.
 */
export async function enter(
  services: Services,
  userId: string,
  place: SessionPlace,
  oldToken: string | null,
  way: { byPasskey?: boolean } = {},
): Promise<string[] | null> {
  const { db, log } = services;
  if (await isSuspended(db, userId)) {
    log.warn({ event: 'sign-in-refused', reason: 'suspended', userId }, 'sign-in refused');
    return null;
  }
  const cookie = await db.transaction().execute(async (tx) => {
    if (oldToken !== null) {
      await tx.deleteFrom('sessions').where('token', '=', hashToken(oldToken)).execute();
    }
    await tx
      .deleteFrom('sessions')
      .where('user_id', '=', userId)
      .where('expires_at', '<', sql<Date>`now()`)
      .execute();
    return openSession(tx, userId, place, way);
  });
  log.info({ event: 'sign-in', userId }, 'signed in');
  const user = await userById(db, userId).select(['email', 'email_verified']).executeTakeFirst();
  // Without a verified email, the user may be a stranger.
  const mark = user?.email_verified
    ? await issueDeviceCookie(services, place.deviceToken, user.email)
    : null;
  return mark === null ? [cookie] : [cookie, mark];
}
