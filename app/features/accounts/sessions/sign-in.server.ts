import { sql } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import { maskMailAddress } from '#app/platform/mail/mail-address.server.ts';
import { checkPassword } from '../passwords/check-password.server.ts';
import { findDevice, markDevice } from './device-mark.server.ts';
import { hashToken } from '../hash-token.server.ts';
import { openSession, type SessionPlace, type SessionWay } from './open-session.server.ts';
import { askForSecondFactor } from '../two-factor/second-factor-step.server.ts';

export type SignInResult =
  | { ok: true; cookies: string[]; needsCode: boolean }
  | { ok: false; reason: 'wrong' }
  | { ok: false; reason: 'too-many'; retryAfterSeconds: number };

type Services = Pick<AppServices, 'db' | 'env' | 'log'>;

/** `oldToken`: the session this browser came with. It ends, so that nobody who planted or knew it stays in (R10). */
export async function signIn(
  services: Services,
  { email, password }: { email: string; password: string },
  place: SessionPlace,
  oldToken: string | null,
): Promise<SignInResult> {
  const { db, log } = services;
  const allowed = await limit(services, 'sign-in-address', place.address);
  if (!allowed.ok) return { ...allowed, reason: 'too-many' };
  const device = await findDevice(services, place.deviceMark, email);
  const checked = await checkPassword(services, email, password, device);
  if (!checked.ok) {
    log.warn(
      { event: 'sign-in-refused', reason: checked.reason, email: maskMailAddress(email) },
      'sign-in refused',
    );
    return checked;
  }
  const { userId } = checked;
  const user = await db
    .selectFrom('users')
    .select('two_factor_enabled')
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!user) return { ok: false, reason: 'wrong' };
  if (user.two_factor_enabled) {
    return { ok: true, needsCode: true, cookies: [await askForSecondFactor(services, userId)] };
  }
  return { ok: true, needsCode: false, cookies: await enter(services, userId, place, oldToken) };
}

/** Opens the session once everything that was asked for is right. Answers its cookie, and the mark of this browser (R63). */
export async function enter(
  services: Services,
  userId: string,
  place: SessionPlace,
  oldToken: string | null,
  way: SessionWay = {},
): Promise<string[]> {
  const { db, log } = services;
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
  const user = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .where('email_verified', '=', true)
    .executeTakeFirst();
  // Who has not proved the address may be a stranger, and is told apart from its owner by nothing.
  const mark = user ? await markDevice(services, place.deviceMark, user.email) : null;
  return mark === null ? [cookie] : [cookie, mark];
}
